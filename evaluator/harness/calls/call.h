// Calls a function once: its arguments are standard input, as JSON, and the result goes out where standard output did.
// Whatever does not fit the function's own types ends the program, which shows as its failure.
#pragma once

#include "prelude.h"

namespace mc {

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

template <class T> struct Codec<std::vector<T>> {
    static std::vector<T> read(const Json &json)
    {
        std::vector<T> values;
        for (const Json &item : items_of(json))
            values.push_back(Codec<T>::read(item));
        return values;
    }
    static void write(std::string &out, const std::vector<T> &values)
    {
        out += '[';
        for (size_t i = 0; i < values.size(); i++) {
            if (i)
                out += ',';
            Codec<T>::write(out, values[i]);
        }
        out += ']';
    }
};

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
        Codec<A>::write(out, pair.first);
        out += ',';
        Codec<B>::write(out, pair.second);
        out += ']';
    }
};

// More nodes than any answer has, by which a circle ends.
constexpr int MOST_NODES = 10'000'000;

template <> struct Codec<ListNode *> {
    static ListNode *read(const Json &json)
    {
        if (json.kind == Json::Null)
            return nullptr;
        ListNode *head = nullptr, **end = &head;
        for (const Json &item : items_of(json)) {
            *end = new ListNode(Codec<int>::read(item));
            end = &(*end)->next;
        }
        return head;
    }
    static void write(std::string &out, const ListNode *node)
    {
        std::vector<int> values;
        for (; node; node = node->next) {
            if (values.size() == MOST_NODES)
                fail("the list has no end");
            values.push_back(node->val);
        }
        out += "{\"ListNode\":";
        Codec<std::vector<int>>::write(out, values);
        out += '}';
    }
};

template <> struct Codec<TreeNode *> {
    static TreeNode *read(const Json &json)
    {
        if (json.kind == Json::Null)
            return nullptr;
        const auto &items = items_of(json);
        if (items.empty() || items[0].kind == Json::Null)
            return nullptr;
        auto *root = new TreeNode(Codec<int>::read(items[0]));
        std::deque<TreeNode *> parents{root};
        for (size_t i = 1; i < items.size() && !parents.empty(); i += 2) {
            TreeNode *parent = parents.front();
            parents.pop_front();
            for (size_t side = 0; side < 2 && i + side < items.size(); side++) {
                if (items[i + side].kind == Json::Null)
                    continue;
                auto *child = new TreeNode(Codec<int>::read(items[i + side]));
                (side ? parent->right : parent->left) = child;
                parents.push_back(child);
            }
        }
        return root;
    }
    static void write(std::string &out, const TreeNode *root)
    {
        std::vector<std::string> values;
        std::deque<const TreeNode *> level{root};
        for (; !level.empty(); level.pop_front()) {
            const TreeNode *node = level.front();
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

inline std::vector<Json> arguments()
{
    std::string text;
    char part[1 << 16];
    ssize_t length;
    while ((length = read(STDIN_FILENO, part, sizeof part)) > 0)
        text.append(part, length);
    return Reader(text).value().items;
}

inline void leave(const std::string &value)
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

template <class R, class... A, class F> [[noreturn]] void call_as(bool in_place, F function)
{
    const std::vector<Json> given = arguments();
    if (given.size() != sizeof...(A))
        fail("the function takes " + std::to_string(sizeof...(A)) + " arguments, not " + std::to_string(given.size()));
    size_t place = 0;
    // In braces, the order is that in which they are written.
    std::tuple<std::decay_t<A>...> values{Codec<std::decay_t<A>>::read(given[place++])...};
    std::string out;
    if constexpr (std::is_void_v<R>) {
        std::apply([&](auto &...value) { function(static_cast<A>(value)...); }, values);
        if constexpr (sizeof...(A) > 0) {
            if (in_place)
                Codec<std::decay_t<std::tuple_element_t<0, std::tuple<A...>>>>::write(out, std::get<0>(values));
        }
        if (out.empty())
            out = "null";
    } else {
        decltype(auto) result = std::apply([&](auto &...value) -> R { return function(static_cast<A>(value)...); }, values);
        Codec<std::decay_t<R>>::write(out, result);
    }
    leave(out);
    abort();
}

template <class R, class... A> int call(bool in_place, R (*function)(A...))
{
    call_as<R, A...>(in_place, function);
}

template <class C, class R, class... A> int call(bool in_place, R (C::*method)(A...))
{
    C object;
    call_as<R, A...>(in_place, [&](A... given) -> R { return (object.*method)(std::forward<A>(given)...); });
}

template <class C, class R, class... A> int call(bool in_place, R (C::*method)(A...) const)
{
    C object;
    call_as<R, A...>(in_place, [&](A... given) -> R { return (object.*method)(std::forward<A>(given)...); });
}

}  // namespace mc
