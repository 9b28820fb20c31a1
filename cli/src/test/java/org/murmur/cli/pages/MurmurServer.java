package org.murmur.cli.pages;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.murmur.cli.Ran;
import org.murmur.cli.words.ExitCode;

/**
 * Runs the commands of shell scripts, all in one process: a start of Java for each would take
 * minutes. The scripts run {@link #STUB} in the place of {@code murmur}. This process has their
 * working directory, so relative names mean the same.
 *
 * <p>A command is a folder with its arguments, environment and stdin. Its exit code and what it
 * printed are added there.
 */
final class MurmurServer {

  /** What the scripts call {@code murmur}. Numbers of calls are in the order of their starts. */
  static final String STUB =
      """
      #!/bin/bash
      set -eu
      call=$(mktemp -d "$CALLS_FOLDER/new.XXXXXX")
      [ $# -eq 0 ] || printf '%s\\0' "$@" >"$call/args"
      env -0 >"$call/env"
      pwd -P >"$call/pwd"
      cat >"$call/stdin"
      exec 3<>"/dev/tcp/127.0.0.1/$CALLS_PORT"
      printf '%s\\n' "$call" >&3
      read -r code call <&3
      cat "$call/err" >&2
      cat "$call/out"
      exit "$code"
      """;

  private int calls;

  private MurmurServer() {}

  /** Prints its port, and ends with its stdin. */
  public static void main(String[] args) throws IOException {
    MurmurServer server = new MurmurServer();
    try (ServerSocket socket = new ServerSocket(0, 64, InetAddress.getLoopbackAddress())) {
      Thread acceptor = new Thread(() -> server.acceptAll(socket), "acceptor");
      acceptor.setDaemon(true);
      acceptor.start();
      System.out.println(socket.getLocalPort());
      while (System.in.read() >= 0) {
        // Until the test ends.
      }
    }
    System.exit(0);
  }

  private void acceptAll(ServerSocket socket) {
    try {
      while (true) {
        Socket caller = socket.accept();
        new Thread(() -> serve(caller), "call").start();
      }
    } catch (IOException e) {
      // The socket is closed.
    }
  }

  private synchronized Path next(Path call) throws IOException {
    return Files.move(call, call.resolveSibling("%04d".formatted(++calls)));
  }

  private void serve(Socket caller) {
    try (caller;
        BufferedReader in =
            new BufferedReader(
                new InputStreamReader(caller.getInputStream(), StandardCharsets.UTF_8))) {
      Path call = next(Path.of(in.readLine()));
      Ran ran = run(call);
      Files.writeString(call.resolve("out"), ran.out());
      Files.writeString(call.resolve("err"), ran.err());
      Files.writeString(call.resolve("code"), ran.code() + "\n");
      // Ctrl-C ends a command that follows: as intended, so a script goes on.
      int code =
          follows(strings(call.resolve("args"))) && ran.code() == ExitCode.INTERRUPTED.number()
              ? 0
              : ran.code();
      caller.getOutputStream().write((code + " " + call + "\n").getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Ran run(Path call) throws IOException {
    String here = Path.of("").toRealPath().toString();
    String there = Files.readString(call.resolve("pwd")).strip();
    if (!there.equals(here)) {
      return new Ran(1, "", "The script left its folder: " + there + "\n");
    }
    Ran.With with = Ran.with();
    for (String variable : strings(call.resolve("env"))) {
      int equals = variable.indexOf('=');
      with.environment(variable.substring(0, equals), variable.substring(equals + 1));
    }
    List<String> args = strings(call.resolve("args"));
    if (follows(args)) {
      with.interruptingWhen("complete");
    }
    if (args.contains("send") || args.contains("sign")) {
      with.typing("yes");
    }
    return with.stdin(Files.readAllBytes(call.resolve("stdin")))
        .murmur(args.toArray(String[]::new));
  }

  private static boolean follows(List<String> args) {
    return args.contains("--follow");
  }

  private static List<String> strings(Path file) throws IOException {
    List<String> strings = new ArrayList<>();
    if (Files.exists(file)) {
      String all = Files.readString(file);
      int from = 0;
      for (int end = all.indexOf('\0'); end >= 0; end = all.indexOf('\0', from)) {
        strings.add(all.substring(from, end));
        from = end + 1;
      }
    }
    return strings;
  }

  /**
   * A command that ran.
   *
   * @param args its arguments, joined by spaces
   * @param ran its exit code and output
   */
  record Call(String args, Ran ran) {

    /** Reads a call's folder. */
    static Call of(Path folder) throws IOException {
      int code = Integer.parseInt(Files.readString(folder.resolve("code")).strip());
      return new Call(
          String.join(" ", strings(folder.resolve("args"))),
          new Ran(code, read(folder, "out"), read(folder, "err")));
    }

    private static String read(Path folder, String name) throws IOException {
      return Files.readString(folder.resolve(name));
    }
  }
}
