//! The shim over libtorch, as far as it can be tried without a GPU.

use tch::{Device, Kind, Tensor};
use trainer::native::{self, AdamWConfig, AdamWTensors, GraphPool, Spans};

#[test]
fn norm_and_scale_take_all_tensors_together() {
    let list = [
        Tensor::from_slice(&[3.0_f32]),
        Tensor::from_slice(&[0.0_f32, -4.0]),
    ];
    let both: Vec<&Tensor> = list.iter().collect();
    assert_eq!(native::norm(&both), 5.0);
    native::scale(&both, 0.5);
    assert_eq!(native::norm(&both), 2.5);
    assert_eq!(list[1], Tensor::from_slice(&[0.0_f32, -2.0]));
    assert_eq!(native::norm(&[]), 0.0);
}

/// Two steps of one weight; the numbers are those of torch.optim.AdamW in Python:
/// `p = torch.nn.Parameter(torch.tensor([1.0], dtype=torch.float64)); o = torch.optim.AdamW([p], lr=0.1, betas=(0.8, 0.9),
/// eps=1e-3, weight_decay=0.2); p.grad = torch.tensor([0.5]); o.step(); p.grad = torch.tensor([-2.0]); o.step()`
#[test]
fn a_step_of_adamw_is_pytorchs() {
    let [weight, mean, square] = [1.0_f64, 0.0, 0.0].map(|value| Tensor::from_slice(&[value]));
    let config = AdamWConfig {
        betas: (0.8, 0.9),
        weight_decay: 0.2,
        epsilon: 1e-3,
    };
    for (step, (gradient, after)) in [(0.5_f64, 0.8801996007984032), (-2.0, 0.9221645363108983)]
        .into_iter()
        .enumerate()
    {
        let gradient = Tensor::from_slice(&[gradient]);
        let parts = AdamWTensors {
            parameters: vec![&weight],
            gradients: vec![&gradient],
            exp_avgs: vec![&mean],
            exp_avg_sqs: vec![&square],
        };
        native::adamw(&parts, step as i64 + 1, 0.1, &config);
        let off = (weight.double_value(&[0]) - after).abs();
        assert!(off < 1e-9, "step {}: {off:e}", step + 1);
    }
}

#[test]
#[should_panic(expected = "aten::_flash_attention_forward")]
fn what_libtorch_throws_is_a_panic_with_its_words() {
    let heads = Tensor::zeros([4, 2, 8], (Kind::BFloat16, Device::Cpu));
    let starts = Tensor::from_slice(&[0_i32, 4]);
    let spans = Spans {
        starts: &starts,
        used: None,
        longest: 4,
    };
    let _ = native::flash_attention([&heads, &heads, &heads], &spans, &spans, true);
}

/// This process never loads libtorch's CUDA half.
#[test]
fn a_function_for_graphs_that_is_not_there_is_named() {
    let problem = GraphPool::new().unwrap_err();
    assert_eq!(problem, "libtorch_cuda.so has no _ZN2at4cuda9CUDAGraphC1Eb");
}
