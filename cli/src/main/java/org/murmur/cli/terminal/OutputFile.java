package org.murmur.cli.terminal;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.UUID;
import java.util.regex.Pattern;
import org.murmur.cli.words.Failure;
import org.murmur.cli.words.Failures;

/**
 * A file that a command writes. No command writes one otherwise. It never overwrites a wallet, and
 * a file of another kind only with {@code --force}. It writes beside the file and renames: a full
 * disk or a crash leaves the older file as it was. A description of the wallet is for its owner
 * alone.
 *
 * @param force overwrites files of other kinds
 */
public record OutputFile(Path file, Kind kind, boolean force) {

  /** A kind of file, and the first bytes that identify it. */
  public enum Kind {
    PSBT("PSBT", "\\A\\s*(cHNidP|psbt\\xff)", true),
    LABELS("label file", "\\A\\{[^\\n]*\"(ref|type)\":[^\\n]*\"(ref|type)\":", true),
    PAGE(
        "page of murmur status",
        "<meta name=\"generator\" content=\"murmur status --html\">",
        true),
    /** A picture of what peers know. */
    WALLET_SVG("SVG", "<svg[\\s>]", true),
    WALLET_PNG("PNG", "\\A\\x89PNG\\r\\n", true),
    /** The data of a study. */
    RESULT("result of murmur lab", "\"murmur_lab\"", false),
    TABLE("table of murmur lab", "\\A# murmur lab ", false),
    PLOT_SVG("SVG", "<svg[\\s>]", false),
    PLOT_PNG("PNG", "\\A\\x89PNG\\r\\n", false),
    REPORT("page", "(?i)\\A\\s*<!doctype html>", false),
    /** The trials of a study that goes on. */
    JOURNAL("journal of murmur lab", "\"murmur_lab_journal\"", false);

    private final String name;
    private final Pattern mark;
    private final boolean isPrivate;

    Kind(String name, String mark, boolean isPrivate) {
      this.name = name;
      this.mark = Pattern.compile(mark);
      this.isPrivate = isPrivate;
    }
  }

  private static final int HEAD_BYTES = 4096;

  private static final String SQLITE = "SQLite format 3\0";

  /** Endings of the files beside a wallet's file while it is used. */
  private static final List<String> BESIDE = List.of("-wal", "-shm", "-journal", ".lock", ".new");

  /**
   * Names the file of an argument, and looks at nothing. {@code force} overwrites files of other
   * kinds.
   */
  public static OutputFile named(String argument, String name, Kind kind, boolean force) {
    if (name.isEmpty()) {
      throw Failure.usage(argument + " is empty, expected the name of a file");
    }
    return Failure.checked(argument, () -> new OutputFile(Path.of(name), kind, force));
  }

  /**
   * Checks that the file may be written, before any work: nothing is there, or a file of this kind.
   */
  public void check() throws IOException {
    Path folder = file.toAbsolutePath().getParent();
    if (folder == null || !Files.isDirectory(folder)) {
      throw Failure.failed("no_folder", "there is no folder " + folder + " for " + file);
    }
    if (!Files.isWritable(folder)) {
      throw Failure.failed("unwritable", file + ": its folder may not be written");
    }
    if (!Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
      requireNotBesideWallet();
      return;
    }
    if (!Files.isRegularFile(file)) {
      throw Failure.failed("file_exists", file + " is no regular file: name another one");
    }
    String head = head(file);
    if (head.startsWith(SQLITE)) {
      throw Failure.failed(
          "file_exists", file + " is a database, perhaps a wallet: name another file");
    }
    requireNotBesideWallet();
    if (!force && Files.size(file) > 0 && !kind.mark.matcher(head).find()) {
      throw Failure.failed(
          "file_exists", file + " exists and is no " + kind.name + "; --force overwrites it");
    }
  }

  private void requireNotBesideWallet() throws IOException {
    String name = file.toString();
    for (String suffix : BESIDE) {
      if (name.endsWith(suffix)) {
        Path wallet = Path.of(name.substring(0, name.length() - suffix.length()));
        if (Files.isRegularFile(wallet) && head(wallet).startsWith(SQLITE)) {
          throw Failure.failed(
              "file_exists", file + " belongs to the database " + wallet + ": name another file");
        }
      }
    }
  }

  private static String head(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      return new String(in.readNBytes(HEAD_BYTES), StandardCharsets.ISO_8859_1);
    }
  }

  /**
   * Checks and writes it in one step: a reader sees the old file or the new one. If it cannot be
   * written, what was there is unchanged.
   */
  public void write(String text) throws IOException {
    write(text.getBytes(StandardCharsets.UTF_8));
  }

  /** Checks and writes it as {@link #write(String)}. */
  public void write(byte[] content) throws IOException {
    check();
    Path target = Files.exists(file) ? file.toRealPath() : file.toAbsolutePath();
    Path draft = target.resolveSibling(".murmur-" + UUID.randomUUID());
    try {
      Files.createFile(draft, attributes());
      try (FileChannel channel = FileChannel.open(draft, StandardOpenOption.WRITE)) {
        ByteBuffer rest = ByteBuffer.wrap(content);
        while (rest.hasRemaining()) {
          channel.write(rest);
        }
        channel.force(true);
      }
      Files.move(draft, target, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw Failure.failed(
          "io", file + " was not written, and is as it was: " + Failures.reason(e), e);
    } finally {
      Files.deleteIfExists(draft);
    }
  }

  private FileAttribute<?>[] attributes() {
    return kind.isPrivate
            && FileSystems.getDefault().supportedFileAttributeViews().contains("posix")
        ? new FileAttribute<?>[] {
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
        }
        : new FileAttribute<?>[0];
  }

  @Override
  public String toString() {
    return file.toString();
  }
}
