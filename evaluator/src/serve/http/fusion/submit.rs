//! `POST /submit`: a completion is judged by the tests that come with it, or by those of a problem that is known by its id.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::response::Response;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use serde_json::{Value, json};
use utoipa::ToSchema;

use super::words::{RunCodeResponse, of_case};
use crate::judge::{NoProgram, Settings, Task};
use crate::languages::{Language, Languages, PYTHON, toolchain};
use crate::problem::{Problem, TestCase, Tests};
use crate::serve::http::call::{self, NoRoom};
use crate::serve::http::error::{self, HttpError};
use crate::serve::http::patch::seconds;
use crate::serve::http::state::Shared;
use crate::serve::http::{body, read};
use crate::serve::{Refusal, RowReader};
use crate::verdict::{Decision, Verdict};

/// Bytes of each stream that an answer brings back, and of each text of a test.
const SHOWN: usize = 4096;

/// A completion to judge.
#[derive(Deserialize, ToSchema)]
pub(in crate::serve::http) struct SubmitRequest {
    #[serde(default)]
    dataset: String,
    #[schema(value_type = String)]
    id: Value,
    #[serde(deserialize_with = "read::lossy")]
    completion: String,
    config: TestConfig,
}

/// How to judge it.
#[derive(Deserialize, ToSchema)]
struct TestConfig {
    #[serde(default)]
    language: Option<String>,
    /// Seconds of CPU time per test.
    #[serde(default)]
    run_timeout: Option<f64>,
    #[serde(default)]
    custom_extract_logic: Option<String>,
    /// The problem: a row with a field `test`, a list of `{"input": {"stdin"}, "output": {"stdout"}}` or its JSON text; or a
    /// problem of any format that files may have.
    #[serde(default)]
    #[schema(value_type = Option<Object>)]
    provided_data: Option<Box<RawValue>>,
    #[serde(default)]
    extra: Extra,
}

#[derive(Default, Deserialize, ToSchema)]
struct Extra {
    /// Go on after a failed test.
    #[serde(default)]
    run_all_cases: bool,
    /// Show a test's whole texts.
    #[serde(default)]
    return_full_case: bool,
}

/// A test in SandboxFusion's own form.
#[derive(Deserialize)]
struct StdioCase {
    input: HashMap<String, String>,
    output: HashMap<String, String>,
}

/// What came of it.
#[derive(Serialize, ToSchema)]
pub(in crate::serve::http) struct SubmitResponse {
    #[schema(value_type = String)]
    id: Value,
    accepted: bool,
    extracted_code: String,
    full_code: Option<String>,
    test_code: Option<String>,
    tests: Vec<SubmittedTest>,
    extracted_type: Option<&'static str>,
    #[schema(value_type = Object)]
    extra: Value,
}

/// One test.
#[derive(Serialize, ToSchema)]
pub(in crate::serve::http) struct SubmittedTest {
    passed: bool,
    exec_info: RunCodeResponse,
    #[schema(value_type = Option<Object>)]
    test_info: Option<Value>,
}

/// Judge a completion.
#[utoipa::path(
    post, path = "/submit", tag = "SandboxFusion", request_body = SubmitRequest,
    responses(
        (status = 200, body = SubmitResponse),
        (status = 400, body = crate::serve::http::error::ErrorBody),
        (status = 500, description = "The judge failed", body = crate::serve::http::error::ErrorBody),
    )
)]
pub(in crate::serve::http) async fn submit(
    State(shared): State<Arc<Shared>>,
    request: Request,
) -> Result<Response, HttpError> {
    let content = body::read(&shared, request).await?;
    let reading = shared.clone();
    let ((request, task, settings), _memory) = read::apart(&shared, content, move |content| {
        let request: SubmitRequest = read::json(&content.text)?;
        let (task, settings) = task(&reading, &request)?;
        Ok((request, task, settings))
    })
    .await?;
    let verdicts = call::judge(&shared, settings, vec![task.clone()], NoRoom::Wait).await?;
    let response = verdicts
        .first()
        .map(|verdict| response(&request, &task, verdict));
    let response = response.ok_or_else(|| HttpError::failed("there is no verdict"))?;
    Ok(error::json(StatusCode::OK, &response))
}

fn task(shared: &Shared, request: &SubmitRequest) -> Result<(Task, Settings), HttpError> {
    let config = &request.config;
    let language = language(config.language.as_deref())?;
    if config.custom_extract_logic.is_some() {
        let error = "is code for the server to run, which is not done here";
        return Err(HttpError::of("config.custom_extract_logic", error));
    }
    let problem = problem(shared, request)?;
    if let Some((field, error)) = shared.limits.bounds.exceeded_by(&problem) {
        return Err(Refusal::of(error).below(field).into());
    }
    let default = shared.settings.time_limit.as_secs_f64();
    let time = config.run_timeout.unwrap_or(default);
    let settings = Settings {
        time_limit: seconds("config.run_timeout", time, &shared.limits.bounds)?,
        budget: Duration::from_secs(60),
        first_failure: !config.extra.run_all_cases,
        keep_output: SHOWN,
        ..(*shared.settings).clone()
    };
    let id = id_text(&request.id);
    let task = Task::from_response_in(language, id, &request.completion, problem);
    Ok((task, settings))
}

/// The language that is asked for; `None` leaves it to the completion.
fn language(name: Option<&str>) -> Result<Option<&'static Language>, HttpError> {
    let Some(name) = name else { return Ok(None) };
    let wrong = |error: String| HttpError::of("config.language", error);
    let languages = Languages::get();
    let language = languages.named(name).ok_or_else(|| {
        let known = languages.listed();
        wrong(format!("\"{name}\" is not available here, only {known}"))
    })?;
    if language.name != PYTHON {
        toolchain(language).map_err(wrong)?;
    }
    Ok(Some(language))
}

fn problem(shared: &Shared, request: &SubmitRequest) -> Result<Arc<Problem>, HttpError> {
    const FIELD: &str = "config.provided_data";
    let id = id_text(&request.id);
    let Some(given) = &request.config.provided_data else {
        let known = shared.store.by_id(&id);
        return known.map_err(|error| HttpError::of("id", error));
    };
    let row = match given.get().starts_with('[') {
        true => row_of(given, &id).map_err(|error| HttpError::of(FIELD, error))?,
        false => given,
    };
    if let Some(cases) = own_cases(row)? {
        return Ok(Arc::new(Problem::new(id, Tests::Stdin(cases))));
    }
    let reader = RowReader {
        store: &shared.store,
        beside: &HashMap::new(),
        bounds: &shared.limits.bounds,
    };
    Ok(reader.problem(1, FIELD, row)?)
}

/// The row of this id in a list.
fn row_of<'a>(list: &'a RawValue, id: &str) -> Result<&'a RawValue, String> {
    #[derive(Deserialize)]
    struct Named {
        #[serde(default)]
        id: Value,
    }
    let rows: Vec<&RawValue> = serde_json::from_str(list.get()).unwrap_or_default();
    let mut rows = rows.into_iter();
    let named = |row: &&RawValue| {
        let named: Option<Named> = serde_json::from_str(row.get()).ok();
        named.is_some_and(|named| id_text(&named.id) == id)
    };
    let row = rows.find(named);
    row.ok_or_else(|| format!("has no row with the id \"{id}\""))
}

/// The tests of a row in SandboxFusion's own form, where it has them.
fn own_cases(row: &RawValue) -> Result<Option<Vec<TestCase<String, String>>>, HttpError> {
    #[derive(Deserialize)]
    struct Tested {
        test: Option<Value>,
        entry_point: Option<Value>,
    }
    const FIELD: &str = "config.provided_data.test";
    let tested: Tested = read::json(row.get())?;
    let Some(test) = tested.test.filter(|_| tested.entry_point.is_none()) else {
        return Ok(None);
    };
    let cases = match test {
        Value::String(text) => serde_json::from_str(&text),
        list => serde_json::from_value(list),
    };
    let cases: Vec<StdioCase> = cases.map_err(|error| HttpError::of(FIELD, error.to_string()))?;
    if cases.is_empty() {
        return Err(HttpError::of(FIELD, "is empty"));
    }
    let cases = cases.into_iter().enumerate().map(|(i, case)| {
        let stream = |streams: &HashMap<String, String>, name: &str, side: &str| {
            let text = streams.get(name).cloned();
            text.ok_or_else(|| HttpError::of(format!("{FIELD}[{i}].{side}.{name}"), "is missing"))
        };
        Ok(TestCase {
            input: stream(&case.input, "stdin", "input")?,
            expected: stream(&case.output, "stdout", "output")?,
        })
    });
    cases.collect::<Result<_, _>>().map(Some)
}

fn id_text(id: &Value) -> String {
    match id {
        Value::String(id) => id.clone(),
        other => other.to_string(),
    }
}

fn response(request: &SubmitRequest, task: &Task, verdict: &Verdict) -> SubmitResponse {
    let extracted = task.submission.code.clone();
    let whole = request.config.extra.return_full_case;
    let cases = verdict.cases.iter().enumerate();
    let tests = cases.map(|(place, case)| SubmittedTest {
        passed: case.verdict == Decision::Accepted,
        exec_info: RunCodeResponse::of_run(of_case(case)),
        test_info: test_info(&task.problem, place, whole),
    });
    // Of what does not compile no test was run; its first one says why.
    let rejected = rejection(task, verdict).map(|rejection| SubmittedTest {
        passed: false,
        exec_info: RunCodeResponse::of_no_program(rejection),
        test_info: test_info(&task.problem, 0, whole),
    });
    SubmitResponse {
        id: request.id.clone(),
        accepted: verdict.verdict == Decision::Accepted,
        extracted_type: Some(if extracted.is_some() {
            "fenced"
        } else {
            "empty"
        }),
        extracted_code: extracted.unwrap_or_default(),
        full_code: None,
        test_code: None,
        tests: tests.chain(rejected).collect(),
        extra: json!({
            "dataset": request.dataset, "verdict": verdict.verdict, "message": verdict.message,
            "passed": verdict.passed, "total": verdict.total, "reward": verdict.reward,
        }),
    }
}

/// Why a completion was not run that holds a program.
fn rejection(task: &Task, verdict: &Verdict) -> Option<NoProgram> {
    let is_program = task.submission.code.is_some();
    let rejected = verdict.verdict == Decision::CompileError && is_program;
    let language = Languages::get().named(&task.submission.language);
    rejected.then(|| NoProgram {
        words: verdict.message.clone().unwrap_or_default(),
        compiling: language.is_some_and(Language::is_compiled),
        late: false,
    })
}

fn test_info(problem: &Problem, place: usize, whole: bool) -> Option<Value> {
    let shown = |text: &str| match whole {
        true => text.to_owned(),
        false => text.chars().take(SHOWN).collect(),
    };
    match &problem.tests {
        Tests::Stdin(cases) => cases.get(place).map(|test| {
            json!({"input": {"stdin": shown(&test.input)}, "output": {"stdout": shown(&test.expected)}})
        }),
        Tests::Call { .. } | Tests::Assert { .. } => None,
    }
}
