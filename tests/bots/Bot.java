import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;

/** A bot in Java without any library: it plays the first move of the list. */
public class Bot {
    public static void main(String[] words) throws Exception {
        var in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line; (line = in.readLine()) != null; ) {
            String kind = line.substring(line.lastIndexOf("\"type\":\"") + 8);
            if (kind.startsWith("hello")) {
                System.out.println("{\"type\":\"ready\",\"protocol\":1,\"name\":\"java\"}");
            } else if (kind.startsWith("question")) {
                int moves = line.indexOf("\"moves\":{\"asked\"");
                String id = value(line, line.indexOf("\"id\":\"") + 5);
                String move = value(line, line.indexOf("\"move\":", line.indexOf("\"choices\":", moves)) + 7);
                System.out.println("{\"type\":\"answer\",\"id\":" + id + ",\"move\":" + move + "}");
            }
        }
    }

    /** The JSON value that begins here. */
    static String value(String line, int from) {
        int depth = 0;
        boolean quoted = false;
        for (int at = from; ; at++) {
            char sign = line.charAt(at);
            if (quoted) {
                if (sign == '\\') at++;
                else if (sign == '"') quoted = false;
            } else if (sign == '"') {
                quoted = true;
            } else if (sign == '{' || sign == '[') {
                depth++;
            } else if (sign == '}' || sign == ']') {
                depth--;
            }
            if (depth == 0 && !quoted && (sign == '"' || sign == '}' || sign == ']')) {
                return line.substring(from, at + 1);
            }
        }
    }
}
