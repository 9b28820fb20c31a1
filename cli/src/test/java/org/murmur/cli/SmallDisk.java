package org.murmur.cli;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A small file system in memory that only some processes see: mounted in a separate name space,
 * which a user may have on most Linux systems, and held by a shell.
 */
public final class SmallDisk implements AutoCloseable {

  private static final String ANSWER = "murmur-small-disk ";

  private final Process shell;
  private final Writer commands;
  private final BufferedReader answers;
  private final Path folder;
  private final boolean userSpace;

  private SmallDisk(Process shell, Path folder, boolean userSpace) {
    this.shell = shell;
    this.folder = folder;
    this.userSpace = userSpace;
    this.commands = shell.outputWriter(StandardCharsets.UTF_8);
    this.answers =
        new BufferedReader(new InputStreamReader(shell.getInputStream(), StandardCharsets.UTF_8));
  }

  /**
   * Mounts one.
   *
   * @param folder where; an empty folder
   * @param kibibytes how much fits
   * @throws AssertionError if this system does not let its users mount, with advice
   */
  public static SmallDisk mount(Path folder, int kibibytes) {
    StringBuilder refused = new StringBuilder();
    // For any user as the root of a separate name space; or for the real root.
    for (boolean userSpace : new boolean[] {true, false}) {
      SmallDisk disk = new SmallDisk(shell(userSpace), folder, userSpace);
      String mounted =
          disk.tell("mount -t tmpfs -o size=" + kibibytes + "k,mode=700 murmur '" + folder + "'");
      if (mounted.equals("0")) {
        return disk;
      }
      refused.append(mounted).append(' ');
      disk.close();
    }
    throw new AssertionError(
        "this test needs a small file system: neither `unshare -rm` nor, as root, `unshare -m` may"
            + " mount one ("
            + refused
            + "). Install util-linux and allow user name spaces (sysctl"
            + " kernel.unprivileged_userns_clone=1,"
            + " kernel.apparmor_restrict_unprivileged_userns=0), or run as root");
  }

  private static Process shell(boolean userSpace) {
    try {
      return new ProcessBuilder("unshare", userSpace ? "-rm" : "-m", "sh")
          .redirectErrorStream(true)
          .start();
    } catch (IOException e) {
      throw new AssertionError("this test needs `unshare` of util-linux", e);
    }
  }

  /** Runs a shell command; returns its exit code, or the shell's output if it is gone. */
  private String tell(String command) {
    StringBuilder said = new StringBuilder();
    try {
      commands.write("{ " + command + "; }; echo " + ANSWER + "$?\n");
      commands.flush();
      for (String line = answers.readLine(); line != null; line = answers.readLine()) {
        if (line.startsWith(ANSWER)) {
          return line.substring(ANSWER.length());
        }
        said.append(line).append('\n');
      }
      return said.toString();
    } catch (IOException e) {
      return said + e.toString();
    }
  }

  private void must(String command) {
    String code = tell(command);
    if (!code.equals("0")) {
      throw new AssertionError(command + ": " + code);
    }
  }

  /** A prefix that runs a command where this disk is visible. */
  List<String> inside() {
    List<String> command = new ArrayList<>(List.of("nsenter", "-t", "" + shell.pid(), "-m"));
    if (userSpace) {
      command.addAll(List.of("-U", "--preserve-credentials"));
    }
    return command;
  }

  /** The command with this disk visible. */
  public Spawned.With murmur() {
    return Spawned.on(folder).around(inside());
  }

  /** Fills it up, except for this much. */
  public void fill(int kibibytesLeft) {
    // cat ends when there is no room left, as intended.
    must(
        "cat /dev/zero > '"
            + folder
            + "/filler' 2>/dev/null; truncate -s -"
            + kibibytesLeft
            + "K '"
            + folder
            + "/filler'");
  }

  /** Makes room again. */
  public void empty() {
    must("rm '" + folder + "/filler'");
  }

  /** Forbids all writes, or allows them again. */
  public void readOnly(boolean now) {
    must("mount -o remount," + (now ? "ro" : "rw") + " '" + folder + "'");
  }

  /** Copies a file to a place that is visible outside. */
  void copyOut(String name, Path to) {
    must("cp '" + folder + "/" + name + "' '" + to + "'");
  }

  /** Copies a file in. */
  void copyIn(Path from, String name) {
    must(
        "mkdir -p \"$(dirname '"
            + folder
            + "/"
            + name
            + "')\" && cp '"
            + from
            + "' '"
            + folder
            + "/"
            + name
            + "'");
  }

  /** Its files, as `ls` prints them. */
  public String list() {
    try {
      Process ls =
          new ProcessBuilder(concat(inside(), List.of("ls", "-lR", folder.toString()))).start();
      return new String(ls.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<String> concat(List<String> first, List<String> second) {
    List<String> both = new ArrayList<>(first);
    both.addAll(second);
    return both;
  }

  /** Ends the shell; the file system goes with the last process that sees it. */
  @Override
  public void close() {
    shell.destroyForcibly();
  }
}
