package org.murmur.testbed.bitcoind;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A client for the RPCs of a {@code bitcoind}: JSON over HTTP with the node's cookie file as
 * password.
 *
 * <p>Numbers with a decimal point are read as {@link BigDecimal}, so that amounts stay exact;
 * {@link #satoshi(JsonNode)} turns them into satoshi. Calls block. May be used by several threads.
 */
public final class JsonRpc {

  /** The longest that one HTTP request may take: mining or importing much is slow. */
  private static final Duration TIMEOUT = Duration.ofMinutes(5);

  private static final ObjectMapper JSON =
      new ObjectMapper().enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS);

  private static final int SATOSHI_DIGITS = 8;

  private final HttpClient http;
  private final URI uri;
  private final Path cookie;

  /**
   * One call of a batch: a method as {@code bitcoin-cli help} lists it, and its positional
   * parameters (strings, numbers, booleans, lists, maps, JSON nodes; null for the default).
   */
  public record Call(String method, List<@Nullable Object> params) {

    public static Call of(String method, @Nullable Object... params) {
      return new Call(method, Arrays.asList(params));
    }
  }

  private JsonRpc(HttpClient http, URI uri, Path cookie) {
    this.http = http;
    this.uri = uri;
    this.cookie = cookie;
  }

  /**
   * Makes a client for a node's RPC port on 127.0.0.1. Nothing is sent yet. The cookie file is read
   * again at every request, since a restart changes it.
   */
  public JsonRpc(int port, Path cookie) {
    // The node speaks HTTP/1.1 only; asking it to upgrade would cost bytes at every call.
    this(
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(10))
            .build(),
        URI.create("http://127.0.0.1:" + port + "/"),
        cookie);
  }

  /** Returns a client for the calls of one of the node's wallets. */
  public JsonRpc wallet(String name) {
    return new JsonRpc(http, uri.resolve("/wallet/" + name), cookie);
  }

  /**
   * Calls the node as {@link Call} describes, and returns the result, a JSON null if the call has
   * none. Throws {@link RpcException} if the node answers with an error, and {@link
   * UncheckedIOException} if it cannot be reached.
   */
  public JsonNode call(String method, @Nullable Object... params) {
    return result(method, post(request(Call.of(method, params), 0)));
  }

  /**
   * Makes many calls in one request, and returns the results in their order. The node carries them
   * out in order, even after one fails; the first error is thrown as {@link RpcException}. Throws
   * {@link UncheckedIOException} if the node cannot be reached.
   */
  public List<JsonNode> batch(List<Call> calls) {
    if (calls.isEmpty()) {
      return List.of();
    }
    ArrayNode requests = JSON.createArrayNode();
    for (int i = 0; i < calls.size(); i++) {
      requests.add(request(calls.get(i), i));
    }
    JsonNode answers = post(requests);
    if (!answers.isArray() || answers.size() != calls.size()) {
      // An answer that is no list refuses the whole request and says why.
      result("batch of " + calls.size(), answers);
      throw new UncheckedIOException(new IOException("the node did not answer every call"));
    }
    List<JsonNode> results = new ArrayList<>(Collections.nCopies(calls.size(), answers));
    for (JsonNode answer : answers) {
      int id = answer.path("id").asInt();
      results.set(id, result(calls.get(id).method(), answer));
    }
    return results;
  }

  /**
   * Reads an amount of BTC, as the node prints it, exactly. Throws {@link ArithmeticException} if
   * it has more than 8 decimals.
   */
  public static long satoshi(JsonNode amount) {
    return amount.decimalValue().movePointRight(SATOSHI_DIGITS).longValueExact();
  }

  /** Prints an amount as the node reads it. */
  public static BigDecimal btc(long satoshi) {
    return BigDecimal.valueOf(satoshi, SATOSHI_DIGITS);
  }

  private static ObjectNode request(Call call, int id) {
    ObjectNode request = JSON.createObjectNode();
    request.put("jsonrpc", "1.0").put("id", id).put("method", call.method());
    request.set("params", JSON.valueToTree(call.params()));
    return request;
  }

  private static JsonNode result(String method, JsonNode answer) {
    JsonNode error = answer.path("error");
    if (!error.isMissingNode() && !error.isNull()) {
      throw new RpcException(
          method, error.path("code").asInt(), error.path("message").asText(error.toString()));
    }
    return answer.path("result");
  }

  private JsonNode post(JsonNode body) {
    try {
      HttpRequest request =
          HttpRequest.newBuilder(uri)
              .timeout(TIMEOUT)
              .header("Authorization", authorization())
              .header("Content-Type", "application/json")
              .POST(HttpRequest.BodyPublishers.ofByteArray(JSON.writeValueAsBytes(body)))
              .build();
      var response = http.send(request, BodyHandlers.ofByteArray());
      return parse(response.statusCode(), response.body());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new UncheckedIOException(new IOException("interrupted while the node was asked", e));
    }
  }

  private static JsonNode parse(int status, byte[] body) throws IOException {
    try {
      return JSON.readTree(body);
    } catch (JsonProcessingException e) {
      // "Forbidden", "Work queue depth exceeded": plain text.
      String text = new String(body, StandardCharsets.UTF_8).strip();
      throw new IOException("HTTP status " + status + ": " + text, e);
    }
  }

  private String authorization() throws IOException {
    byte[] secret = Files.readAllBytes(cookie);
    return "Basic " + Base64.getEncoder().encodeToString(secret);
  }
}
