import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.reflect.*;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.*;

// Calls a method once: its arguments are standard input, as JSON, and the result goes out where standard output did.
public final class Call {
    // More nodes than any answer has, by which a circle ends.
    private static final int MOST_NODES = 10_000_000;

    // A number, by the text that it is written as.
    private record Digits(String text) {}

    // An object of one member, that tells the kind of what is in it.
    private record Tagged(String kind, Object content) {}

    private static final class Reader {
        private final String text;
        private int at;

        Reader(String text) { this.text = text; }

        Object value() {
            switch (text.charAt(at)) {
                case '[': return list();
                case '"': return string();
                case '{':
                    at++;
                    String kind = string();
                    at++;
                    Tagged tagged = new Tagged(kind, value());
                    at++;
                    return tagged;
                default:
                    int from = at;
                    while (at < text.length() && ",]}".indexOf(text.charAt(at)) < 0) at++;
                    String word = text.substring(from, at);
                    return switch (word) {
                        case "null" -> null;
                        case "true" -> true;
                        case "false" -> false;
                        default -> new Digits(word);
                    };
            }
        }

        private List<Object> list() {
            List<Object> items = new ArrayList<>();
            at++;
            while (text.charAt(at) != ']') {
                if (text.charAt(at) == ',') at++;
                items.add(value());
            }
            at++;
            return items;
        }

        private String string() {
            StringBuilder out = new StringBuilder();
            for (at++; text.charAt(at) != '"'; at++) {
                char c = text.charAt(at);
                if (c != '\\') {
                    out.append(c);
                    continue;
                }
                char escaped = text.charAt(++at);
                int plain = "nrtbf".indexOf(escaped);
                if (escaped == 'u') {
                    out.append((char) Integer.parseInt(text.substring(at + 1, at + 5), 16));
                    at += 4;
                } else {
                    out.append(plain < 0 ? escaped : "\n\r\t\b\f".charAt(plain));
                }
            }
            at++;
            return out.toString();
        }
    }

    private static IllegalArgumentException misfit(Object value, Type type) {
        return new IllegalArgumentException("the argument " + value + " is no " + type.getTypeName());
    }

    private static BigInteger whole(Object value, Type type) {
        if (value instanceof Digits digits && digits.text.matches("-?\\d+")) return new BigInteger(digits.text);
        if (value instanceof Tagged tagged && tagged.kind.equals("int"))
            return new BigInteger(((String) tagged.content).replace("0x", ""), 16);
        throw misfit(value, type);
    }

    private static double real(Object value, Type type) {
        if (value instanceof Digits digits) return Double.parseDouble(digits.text);
        if (value instanceof Tagged tagged && tagged.kind.equals("float"))
            return switch ((String) tagged.content) {
                case "inf" -> Double.POSITIVE_INFINITY;
                case "-inf" -> Double.NEGATIVE_INFINITY;
                default -> Double.NaN;
            };
        return whole(value, type).doubleValue();
    }

    private static List<?> items(Object value, Type type) {
        if (value instanceof List<?> list) return list;
        if (value instanceof Tagged tagged && tagged.content instanceof List<?> list) return list;
        throw misfit(value, type);
    }

    // A value as the parameter's type has it.
    private static Object as(Type type, Object value) {
        if (type instanceof ParameterizedType generic) {
            Class<?> raw = (Class<?>) generic.getRawType();
            if (value == null) return null;
            Collection<Object> made;
            if (raw.isAssignableFrom(ArrayList.class)) made = new ArrayList<>();
            else if (raw.isAssignableFrom(LinkedHashSet.class)) made = new LinkedHashSet<>();
            else throw misfit(value, type);
            for (Object item : items(value, type)) made.add(as(generic.getActualTypeArguments()[0], item));
            return made;
        }
        if (type instanceof WildcardType wildcard) return as(wildcard.getUpperBounds()[0], value);
        if (type instanceof GenericArrayType array) return array(array.getGenericComponentType(), value);
        Class<?> plain = (Class<?>) type;
        if (value == null && !plain.isPrimitive()) return null;
        if (plain.isArray()) return array(plain.getComponentType(), value);
        if (plain == int.class || plain == Integer.class) return whole(value, type).intValueExact();
        if (plain == long.class || plain == Long.class) return whole(value, type).longValueExact();
        if (plain == short.class || plain == Short.class) return whole(value, type).shortValueExact();
        if (plain == byte.class || plain == Byte.class) return whole(value, type).byteValueExact();
        if (plain == BigInteger.class) return whole(value, type);
        if (plain == double.class || plain == Double.class) return real(value, type);
        if (plain == float.class || plain == Float.class) return (float) real(value, type);
        if (isCalled(plain, "ListNode")) return list(plain, items(value, type));
        if (isCalled(plain, "TreeNode")) return tree(plain, items(value, type));
        if (value instanceof Boolean && (plain == boolean.class || plain == Boolean.class)) return value;
        if (value instanceof String text) {
            if (plain == String.class || plain == CharSequence.class) return text;
            if ((plain == char.class || plain == Character.class) && text.length() == 1) return text.charAt(0);
        }
        if (plain == Object.class) return value instanceof Digits digits ? (Object) real(digits, type) : value;
        throw misfit(value, type);
    }

    private static Object array(Type of, Object value) {
        List<?> items = items(value, of);
        Class<?> raw = of instanceof Class<?> plain ? plain
            : of instanceof ParameterizedType generic ? (Class<?>) generic.getRawType() : Object[].class;
        Object made = Array.newInstance(raw, items.size());
        for (int i = 0; i < items.size(); i++) Array.set(made, i, as(of, items.get(i)));
        return made;
    }

    // LeetCode's nodes, or classes of the program's own that are called like them, within another class too.
    private static boolean isCalled(Class<?> kind, String name) { return kind.getSimpleName().equals(name); }

    private static Object get(Object node, String name) {
        try {
            Field field = node.getClass().getDeclaredField(name);
            field.setAccessible(true);
            return field.get(node);
        } catch (ReflectiveOperationException missing) {
            throw new IllegalStateException("a node has no '" + name + "'", missing);
        }
    }

    private static void set(Object node, String name, Object value) {
        try {
            Field field = node.getClass().getDeclaredField(name);
            field.setAccessible(true);
            field.set(node, value);
        } catch (ReflectiveOperationException missing) {
            throw new IllegalStateException("a node has no '" + name + "'", missing);
        }
    }

    // A node that leads nowhere, by whichever constructor there is.
    private static Object node(Class<?> kind, Object value) {
        int number = (int) as(int.class, value);
        for (Constructor<?> constructor : kind.getDeclaredConstructors()) {
            Class<?>[] types = constructor.getParameterTypes();
            if (types.length > 0 && types[0] != int.class) continue;
            if (Arrays.stream(types).skip(1).anyMatch(Class::isPrimitive)) continue;
            Object[] given = new Object[types.length];
            if (given.length > 0) given[0] = number;
            try {
                constructor.setAccessible(true);
                Object node = constructor.newInstance(given);
                set(node, "val", number);
                return node;
            } catch (ReflectiveOperationException failed) {
                throw new IllegalStateException("a node cannot be made", failed);
            }
        }
        throw new IllegalStateException("no " + kind.getSimpleName() + " can be made of a number");
    }

    private static Object list(Class<?> kind, List<?> values) {
        Object head = null;
        for (int i = values.size() - 1; i >= 0; i--) {
            Object node = node(kind, values.get(i));
            set(node, "next", head);
            head = node;
        }
        return head;
    }

    private static Object tree(Class<?> kind, List<?> values) {
        if (values.isEmpty() || values.get(0) == null) return null;
        Object root = node(kind, values.get(0));
        Deque<Object> parents = new ArrayDeque<>(List.of(root));
        for (int i = 1; i < values.size() && !parents.isEmpty(); i += 2) {
            Object parent = parents.poll();
            for (int side = 0; side < 2 && i + side < values.size(); side++) {
                if (values.get(i + side) == null) continue;
                Object child = node(kind, values.get(i + side));
                set(parent, side == 0 ? "left" : "right", child);
                parents.add(child);
            }
        }
        return root;
    }

    private static void write(StringBuilder out, Object value) {
        if (value == null || value instanceof Boolean) {
            out.append(value);
        } else if (value instanceof BigInteger whole) {
            out.append("{\"int\":\"").append(whole.signum() < 0 ? "-" : "").append("0x")
                .append(whole.abs().toString(16)).append("\"}");
        } else if (value instanceof Double || value instanceof Float) {
            double real = ((Number) value).doubleValue();
            if (Double.isNaN(real) || Double.isInfinite(real))
                out.append("{\"float\":\"").append(Double.isNaN(real) ? "nan" : real < 0 ? "-inf" : "inf").append("\"}");
            else out.append(real);
        } else if (value instanceof Number) {
            out.append(value);
        } else if (value instanceof CharSequence || value instanceof Character) {
            out.append('"');
            for (char c : value.toString().toCharArray())
                if (c < ' ' || c == '"' || c == '\\' || c > '~') out.append(String.format("\\u%04x", (int) c));
                else out.append(c);
            out.append('"');
        } else if (isCalled(value.getClass(), "ListNode")) {
            List<Object> values = new ArrayList<>();
            for (Object node = value; node != null; node = get(node, "next")) {
                if (values.size() == MOST_NODES) throw new IllegalStateException("the list has no end");
                values.add(get(node, "val"));
            }
            writeAll(out, values, "{\"ListNode\":[", "]}");
        } else if (isCalled(value.getClass(), "TreeNode")) {
            writeAll(out, levels(value), "{\"TreeNode\":[", "]}");
        } else if (value instanceof Map<?, ?> map) {
            List<Object> pairs = new ArrayList<>();
            map.forEach((key, item) -> pairs.add(Arrays.asList(key, item)));
            writeAll(out, pairs, "{\"dict\":[", "]}");
        } else if (value instanceof Set<?> set) {
            writeAll(out, set, "{\"set\":[", "]}");
        } else if (value instanceof Collection<?> items) {
            writeAll(out, items, "[", "]");
        } else if (value.getClass().isArray()) {
            List<Object> items = new ArrayList<>();
            for (int i = 0; i < Array.getLength(value); i++) items.add(Array.get(value, i));
            writeAll(out, items, "[", "]");
        } else {
            throw new IllegalStateException("a " + value.getClass().getName() + " is no plain data");
        }
    }

    private static void writeAll(StringBuilder out, Collection<?> items, String before, String after) {
        out.append(before);
        boolean first = true;
        for (Object item : items) {
            if (!first) out.append(',');
            first = false;
            write(out, item);
        }
        out.append(after);
    }

    private static List<Object> levels(Object root) {
        List<Object> values = new ArrayList<>();
        List<Object> level = new ArrayList<>(Collections.singletonList(root));
        for (int first = 0; first < level.size(); first++) {
            if (values.size() == MOST_NODES) throw new IllegalStateException("the tree has no end");
            Object node = level.get(first);
            values.add(node == null ? null : get(node, "val"));
            if (node == null) continue;
            level.add(get(node, "left"));
            level.add(get(node, "right"));
        }
        while (!values.isEmpty() && values.get(values.size() - 1) == null) values.remove(values.size() - 1);
        return values;
    }

    private static Method find(Class<?> holder, String name, int arguments) throws NoSuchMethodException {
        Method found = null;
        for (Method method : holder.getDeclaredMethods()) {
            if (!method.getName().equals(name) || method.isSynthetic()) continue;
            if (found == null || method.getParameterCount() == arguments) found = method;
        }
        if (found == null) throw new NoSuchMethodException("the program does not define '" + name + "'");
        found.setAccessible(true);
        return found;
    }

    public static void main(String[] told) throws Throwable {
        String name = NAME;
        OutputStream result = new FileOutputStream(FileDescriptor.out);
        String text = new String(System.in.readAllBytes(), StandardCharsets.UTF_8);
        System.setOut(System.err);
        System.setIn(InputStream.nullInputStream());
        List<?> given = (List<?>) new Reader(text).value();
        int dot = name.lastIndexOf('.');
        Class<?> holder = Class.forName(dot < 0 ? "Solution" : name.substring(0, dot));
        Method method = find(holder, name.substring(dot + 1), given.size());
        Type[] types = method.getGenericParameterTypes();
        if (types.length != given.size())
            throw new IllegalArgumentException("the method takes " + types.length + " arguments, not " + given.size());
        Object[] values = new Object[types.length];
        for (int i = 0; i < values.length; i++) values[i] = as(types[i], given.get(i));
        Object object = null;
        if (!Modifier.isStatic(method.getModifiers())) {
            Constructor<?> constructor = holder.getDeclaredConstructor();
            constructor.setAccessible(true);
            object = constructor.newInstance();
        }
        Object returned;
        try {
            returned = method.invoke(object, values);
        } catch (InvocationTargetException thrown) {
            throw thrown.getCause();
        }
        if (IN_PLACE && values.length > 0 && (method.getReturnType() == void.class || IS_VOID)) returned = values[0];
        StringBuilder out = new StringBuilder("{\"value\":");
        write(out, returned);
        result.write(out.append('}').toString().getBytes(StandardCharsets.UTF_8));
        System.err.flush();
        Runtime.getRuntime().halt(0);
    }

    private static final String NAME = "$NAME";
    private static final boolean IN_PLACE = Boolean.parseBoolean("$IN_PLACE");
    private static final boolean IS_VOID = Boolean.parseBoolean("$IS_VOID");
}
