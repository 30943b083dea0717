// Calls a function once: its arguments are standard input, as JSON, and the result goes out where standard output did.
// Whatever does not fit the function's own types ends the program, which shows as its failure.
//
// It stands before the program, whose macros so change nothing here.
#pragma once

#include <unistd.h>

#include <bits/stdc++.h>

struct ListNode;
struct TreeNode;

namespace mc {

// Standard output as it was given, kept before anything of the program's runs. What that prints goes to standard error.
static const int RESULT = [] {
    int given = dup(STDOUT_FILENO);
    dup2(STDERR_FILENO, STDOUT_FILENO);
    return given;
}();

[[noreturn]] inline void fail(const std::string &why)
{
    fprintf(stderr, "%s\n", why.c_str());
    fflush(nullptr);
    _exit(1);
}

// A value as it comes: a number or a text as it is written, a list, or an object of one member, whose name is the text.
struct Json {
    enum Kind { Null, Bool, Number, Text, List, Tagged } kind = Null;
    std::string text;
    std::vector<Json> items;
};

class Reader {
    const std::string &text;
    size_t at = 0;

    void space()
    {
        while (at < text.size() && isspace(static_cast<unsigned char>(text[at])))
            at++;
    }

    bool takes(char c)
    {
        space();
        bool there = at < text.size() && text[at] == c;
        at += there;
        return there;
    }

    void expect(char c)
    {
        if (!takes(c))
            fail("the arguments cannot be read");
    }

    unsigned hex()
    {
        unsigned code = std::stoul(text.substr(at, 4), nullptr, 16);
        at += 4;
        return code;
    }

    static void append(std::string &out, unsigned code)
    {
        if (code < 0x80) {
            out += char(code);
            return;
        }
        int more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
        static const unsigned heads[] = {0, 0xC0, 0xE0, 0xF0};
        out += char(heads[more] | code >> 6 * more);
        while (more--)
            out += char(0x80 | (code >> 6 * more & 0x3F));
    }

    std::string string()
    {
        std::string out;
        expect('"');
        while (text.at(at) != '"') {
            char c = text.at(at++);
            if (c != '\\') {
                out += c;
                continue;
            }
            switch (char escaped = text.at(at++)) {
            case 'n': out += '\n'; break;
            case 't': out += '\t'; break;
            case 'r': out += '\r'; break;
            case 'b': out += '\b'; break;
            case 'f': out += '\f'; break;
            case 'u': {
                unsigned code = hex();
                if (code >= 0xD800 && code < 0xDC00 && text.substr(at, 2) == "\\u") {
                    at += 2;
                    code = 0x10000 + ((code - 0xD800) << 10) + (hex() - 0xDC00);
                }
                append(out, code);
                break;
            }
            default: out += escaped;
            }
        }
        at++;
        return out;
    }

    std::vector<Json> list()
    {
        std::vector<Json> items;
        expect('[');
        if (takes(']'))
            return items;
        do
            items.push_back(value());
        while (takes(','));
        expect(']');
        return items;
    }

public:
    explicit Reader(const std::string &text) : text(text) {}

    Json value()
    {
        space();
        Json json;
        switch (text.at(at)) {
        case '[':
            json.kind = Json::List;
            json.items = list();
            return json;
        case '{':
            at++;
            json.kind = Json::Tagged;
            json.text = string();
            expect(':');
            json.items.push_back(value());
            expect('}');
            return json;
        case '"':
            json.kind = Json::Text;
            json.text = string();
            return json;
        }
        size_t from = at;
        while (at < text.size() && !strchr(",]} \n", text[at]))
            at++;
        json.text = text.substr(from, at - from);
        json.kind = json.text == "null" ? Json::Null : isalpha(static_cast<unsigned char>(json.text[0])) ? Json::Bool : Json::Number;
        return json;
    }
};

inline const std::vector<Json> &items_of(const Json &json)
{
    if (json.kind == Json::List)
        return json.items;
    if (json.kind == Json::Tagged && json.text != "int" && json.text != "float")
        return items_of(json.items[0]);
    fail("an argument is no list");
}

// How a type is read and written. What has none cannot be a parameter.
template <class T, class = void> struct Codec;

template <> struct Codec<bool> {
    static bool read(const Json &json)
    {
        if (json.kind != Json::Bool)
            fail("an argument is no bool");
        return json.text == "true";
    }
    static void write(std::string &out, bool truth) { out += truth ? "true" : "false"; }
};

template <> struct Codec<char> {
    static char read(const Json &json)
    {
        if (json.kind != Json::Text || json.text.size() != 1)
            fail("an argument is no single character");
        return json.text[0];
    }
    static void write(std::string &out, char c);
};

template <class T> struct Codec<T, std::enable_if_t<std::is_integral_v<T>>> {
    static T read(const Json &json)
    {
        const std::string *text = &json.text;
        int base = 10;
        if (json.kind == Json::Tagged && json.text == "int") {
            text = &json.items[0].text;
            base = 16;
        } else if (json.kind != Json::Number || json.text.find_first_of(".eE") != std::string::npos) {
            fail("an argument is no integer");
        }
        T number;
        bool negative = (*text)[0] == '-';
        std::string digits = base == 16 ? (negative ? "-" : "") + text->substr(2 + negative) : *text;
        auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number, base);
        if (error != std::errc() || end != digits.data() + digits.size())
            fail("the argument " + *text + " does not fit its parameter");
        return number;
    }
    static void write(std::string &out, T number) { out += std::to_string(number); }
};

template <class T> struct Codec<T, std::enable_if_t<std::is_floating_point_v<T>>> {
    static T read(const Json &json)
    {
        if (json.kind == Json::Tagged)
            return json.text == "float" ? std::stod(json.items[0].text) : T(Codec<long long>::read(json));
        if (json.kind != Json::Number)
            fail("an argument is no number");
        return std::stod(json.text);
    }
    static void write(std::string &out, T real)
    {
        if (std::isnan(real) || std::isinf(real)) {
            out += std::string("{\"float\":\"") + (std::isnan(real) ? "nan" : real < 0 ? "-inf" : "inf") + "\"}";
            return;
        }
        char text[64];
        snprintf(text, sizeof text, "%.17g", double(real));
        out += text;
        if (!strpbrk(text, ".e"))
            out += ".0";
    }
};

template <> struct Codec<std::string> {
    static std::string read(const Json &json)
    {
        if (json.kind != Json::Text)
            fail("an argument is no string");
        return json.text;
    }
    static void write(std::string &out, const std::string &text)
    {
        out += '"';
        for (unsigned char c : text) {
            char escaped[8];
            snprintf(escaped, sizeof escaped, "\\u%04x", c);
            if (c < 0x20 || c == '"' || c == '\\')
                out += escaped;
            else
                out += char(c);
        }
        out += '"';
    }
};

inline void Codec<char>::write(std::string &out, char c) { Codec<std::string>::write(out, std::string(1, c)); }

template <> struct Codec<std::string_view> {
    // What is looked at stays until the end.
    static std::string_view read(const Json &json) { return *new std::string(Codec<std::string>::read(json)); }
    static void write(std::string &out, std::string_view text) { Codec<std::string>::write(out, std::string(text)); }
};

template <class Items> void write_all(std::string &out, const Items &items)
{
    const char *before = "[";
    for (const typename Items::value_type &item : items) {
        out += before;
        before = ",";
        Codec<std::decay_t<decltype(item)>>::write(out, item);
    }
    out += items.empty() ? "[]" : "]";
}

template <class Items> struct SequenceCodec {
    static Items read(const Json &json)
    {
        Items values;
        for (const Json &item : items_of(json))
            values.push_back(Codec<typename Items::value_type>::read(item));
        return values;
    }
    static void write(std::string &out, const Items &values) { write_all(out, values); }
};

template <class T> struct Codec<std::vector<T>> : SequenceCodec<std::vector<T>> {};
template <class T> struct Codec<std::deque<T>> : SequenceCodec<std::deque<T>> {};
template <class T> struct Codec<std::list<T>> : SequenceCodec<std::list<T>> {};

template <class T, size_t COUNT> struct Codec<std::array<T, COUNT>> {
    static std::array<T, COUNT> read(const Json &json)
    {
        const auto &items = items_of(json);
        if (items.size() != COUNT)
            fail("an argument is no list of " + std::to_string(COUNT));
        std::array<T, COUNT> values;
        std::transform(items.begin(), items.end(), values.begin(), Codec<T>::read);
        return values;
    }
    static void write(std::string &out, const std::array<T, COUNT> &values) { write_all(out, values); }
};

template <class Items> struct SetCodec {
    static Items read(const Json &json)
    {
        Items values;
        for (const Json &item : items_of(json))
            values.insert(Codec<typename Items::value_type>::read(item));
        return values;
    }
    static void write(std::string &out, const Items &values)
    {
        out += "{\"set\":";
        write_all(out, values);
        out += '}';
    }
};

template <class T> struct Codec<std::set<T>> : SetCodec<std::set<T>> {};
template <class T> struct Codec<std::unordered_set<T>> : SetCodec<std::unordered_set<T>> {};

// A result alone: no argument is a map.
template <class Map> struct MapCodec {
    static void write(std::string &out, const Map &pairs)
    {
        out += "{\"dict\":";
        write_all(out, pairs);
        out += '}';
    }
};

template <class K, class V> struct Codec<std::map<K, V>> : MapCodec<std::map<K, V>> {};
template <class K, class V> struct Codec<std::unordered_map<K, V>> : MapCodec<std::unordered_map<K, V>> {};

template <class A, class B> struct Codec<std::pair<A, B>> {
    static std::pair<A, B> read(const Json &json)
    {
        const auto &items = items_of(json);
        if (items.size() != 2)
            fail("an argument is no pair");
        return {Codec<A>::read(items[0]), Codec<B>::read(items[1])};
    }
    static void write(std::string &out, const std::pair<A, B> &pair)
    {
        out += '[';
        Codec<std::remove_const_t<A>>::write(out, pair.first);
        out += ',';
        Codec<B>::write(out, pair.second);
        out += ']';
    }
};

template <class... Parts> struct Codec<std::tuple<Parts...>> {
    static std::tuple<Parts...> read(const Json &json)
    {
        const auto &items = items_of(json);
        if (items.size() != sizeof...(Parts))
            fail("an argument is no tuple of " + std::to_string(sizeof...(Parts)));
        [[maybe_unused]] size_t place = 0;
        // In braces, the order is that in which they are written.
        return std::tuple<Parts...>{Codec<Parts>::read(items[place++])...};
    }
    static void write(std::string &out, const std::tuple<Parts...> &parts)
    {
        out += '[';
        std::apply([&out](const Parts &...part) {
            [[maybe_unused]] const char *before = "";
            ((out += std::exchange(before, ","), Codec<Parts>::write(out, part)), ...);
        }, parts);
        out += ']';
    }
};

// More nodes than any answer has, by which a circle ends.
constexpr int MOST_NODES = 10'000'000;

// A node of the program's own may lack any of LeetCode's constructors.
template <class Node> Node *new_node(int value)
{
    if constexpr (std::is_constructible_v<Node, int>) {
        return new Node(value);
    } else if constexpr (std::is_constructible_v<Node, int, Node *>) {
        return new Node(value, nullptr);
    } else if constexpr (std::is_constructible_v<Node, int, Node *, Node *>) {
        return new Node(value, nullptr, nullptr);
    } else {
        auto *node = new Node();
        node->val = value;
        return node;
    }
}

// Of nodes that are known only when the program is.
template <class Node> struct ListCodec {
    static Node *read(const Json &json)
    {
        if (json.kind == Json::Null)
            return nullptr;
        Node *head = nullptr, **end = &head;
        for (const Json &item : items_of(json)) {
            *end = new_node<Node>(Codec<int>::read(item));
            end = &(*end)->next;
        }
        return head;
    }
    static void write(std::string &out, const Node *node)
    {
        std::vector<int> values;
        for (; node; node = node->next) {
            if (values.size() == MOST_NODES)
                fail("the list has no end");
            values.push_back(node->val);
        }
        out += "{\"ListNode\":";
        write_all(out, values);
        out += '}';
    }
};

template <class Node> struct TreeCodec {
    static Node *read(const Json &json)
    {
        if (json.kind == Json::Null)
            return nullptr;
        const auto &items = items_of(json);
        if (items.empty() || items[0].kind == Json::Null)
            return nullptr;
        Node *root = new_node<Node>(Codec<int>::read(items[0]));
        std::deque<Node *> parents{root};
        for (size_t i = 1; i < items.size() && !parents.empty(); i += 2) {
            Node *parent = parents.front();
            parents.pop_front();
            for (size_t side = 0; side < 2 && i + side < items.size(); side++) {
                if (items[i + side].kind == Json::Null)
                    continue;
                Node *child = new_node<Node>(Codec<int>::read(items[i + side]));
                (side ? parent->right : parent->left) = child;
                parents.push_back(child);
            }
        }
        return root;
    }
    static void write(std::string &out, const Node *root)
    {
        std::vector<std::string> values;
        std::deque<const Node *> level{root};
        for (; !level.empty(); level.pop_front()) {
            const Node *node = level.front();
            values.push_back(node ? std::to_string(node->val) : "null");
            if (values.size() == MOST_NODES)
                fail("the tree has no end");
            if (node) {
                level.push_back(node->left);
                level.push_back(node->right);
            }
        }
        while (!values.empty() && values.back() == "null")
            values.pop_back();
        out += "{\"TreeNode\":[";
        for (size_t i = 0; i < values.size(); i++)
            out += (i ? "," : "") + values[i];
        out += "]}";
    }
};

template <> struct Codec<ListNode *> : ListCodec<ListNode> {};
template <> struct Codec<TreeNode *> : TreeCodec<TreeNode> {};

inline std::vector<Json> arguments()
{
    std::string text;
    char part[1 << 16];
    ssize_t length;
    while ((length = read(STDIN_FILENO, part, sizeof part)) > 0)
        text.append(part, length);
    return Reader(text).value().items;
}

inline const std::vector<Json> &arguments(size_t count)
{
    static const std::vector<Json> given = arguments();
    if (given.size() != count)
        fail("the function takes " + std::to_string(count) + " arguments, not " + std::to_string(given.size()));
    return given;
}

[[noreturn]] inline void leave(const std::string &value)
{
    std::string out = "{\"value\":" + value + "}";
    for (size_t sent = 0; sent < out.size();) {
        ssize_t length = write(RESULT, out.data() + sent, out.size() - sent);
        if (length <= 0)
            _exit(1);
        sent += length;
    }
    fflush(nullptr);
    _exit(0);
}

// What the answer is: what the function gives back; its first argument where that is nothing; or that whatever it gives.
enum class Answer { given, given_or_changed, changed };

// Call it, and leave its answer; `changed` says what became of its first argument.
template <class Call, class Changed> [[noreturn]] void finish(Answer answer, Call called, Changed changed)
{
    std::string out;
    if constexpr (std::is_void_v<decltype(called())>) {
        called();
        out = changed();
    } else {
        decltype(auto) result = called();
        if (answer == Answer::changed)
            out = changed();
        else
            Codec<std::decay_t<decltype(result)>>::write(out, result);
    }
    leave(out);
}

template <class R, class... A, class F> [[noreturn]] void call_as(Answer answer, F function)
{
    const std::vector<Json> &given = arguments(sizeof...(A));
    size_t place = 0;
    // In braces, the order is that in which they are written.
    std::tuple<std::decay_t<A>...> values{Codec<std::decay_t<A>>::read(given[place++])...};
    auto called = [&]() -> R { return std::apply([&](auto &...value) -> R { return function(static_cast<A>(value)...); }, values); };
    finish(answer, called, [&] {
        std::string out;
        if constexpr (sizeof...(A) > 0) {
            if (answer != Answer::given)
                Codec<std::decay_t<decltype(std::get<0>(values))>>::write(out, std::get<0>(values));
        }
        return out.empty() ? "null" : out;
    });
}

template <class R, class... A> int call(Answer answer, R (*function)(A...))
{
    call_as<R, A...>(answer, function);
}

template <class C, class R, class... A> int call(Answer answer, R (C::*method)(A...))
{
    C object;
    call_as<R, A...>(answer, [&](A... given) -> R { return (object.*method)(std::forward<A>(given)...); });
}

template <class C, class R, class... A> int call(Answer answer, R (C::*method)(A...) const)
{
    C object;
    call_as<R, A...>(answer, [&](A... given) -> R { return (object.*method)(std::forward<A>(given)...); });
}

// An argument that is whatever its parameter is.
class Argument {
    const Json &json;
    mutable std::function<void(std::string &)> write_value;

public:
    explicit Argument(const Json &json) : json(json) {}

    template <class T> operator T &() const
    {
        using Plain = std::remove_const_t<T>;
        auto *value = new Plain(Codec<Plain>::read(json));
        write_value = [value](std::string &out) { Codec<Plain>::write(out, *value); };
        return *value;
    }

    void write(std::string &out) const { write_value(out); }
};

// Call what `function` calls with `given` arguments: one of several functions of a name, by the language's own rules.
template <size_t... I, class F> int call_with(Answer answer, F function, std::index_sequence<I...>)
{
    const std::vector<Json> &given = arguments(sizeof...(I));
    std::vector<Argument> values(given.begin(), given.end());
    finish(answer, [&]() -> decltype(auto) { return function(values[I]...); }, [&] {
        std::string out;
        if (answer != Answer::given && !values.empty())
            values[0].write(out);
        return out.empty() ? "null" : out;
    });
}

template <size_t COUNT, class F> int call_with(Answer answer, F function)
{
    return call_with(answer, function, std::make_index_sequence<COUNT>());
}

}  // namespace mc
