package org.murmur.cli.picture;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import org.murmur.cli.words.Failure;

/** A page on disk, for its owner alone. */
final class PageFile {

  /** The mark of a page stands near its beginning. */
  private static final int HEAD_BYTES = 4096;

  /** How SQLite's files begin: never overwritten, not even with --force. */
  private static final String SQLITE = "SQLite format 3\0";

  private PageFile() {}

  /** Refuses to overwrite what is no page of ours, unless that is wanted. */
  static void check(Path file, boolean force) throws IOException {
    if (!Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    if (!Files.isRegularFile(file)) {
      throw Failure.failed("file_exists", file + " is no file");
    }
    if (head(file).startsWith(SQLITE)) {
      throw Failure.failed(
          "file_exists", file + " is a database, perhaps a wallet: name another file");
    }
    if (!force && Files.size(file) > 0 && !head(file).contains(WalletPage.MARK)) {
      throw Failure.failed(
          "file_exists", file + " exists and is no page of murmur status; --force overwrites it");
    }
  }

  private static String head(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      return new String(in.readNBytes(HEAD_BYTES), StandardCharsets.UTF_8);
    }
  }

  /** Writes it in one step: a reader sees the old page or the new one. */
  static void write(Path file, String html) throws IOException {
    Path target = Files.exists(file) ? file.toRealPath() : file.toAbsolutePath();
    Path folder = target.getParent();
    if (folder == null || !Files.isDirectory(folder)) {
      throw Failure.failed("no_folder", "there is no folder " + folder + " for " + file);
    }
    Path draft = Files.createTempFile(folder, ".murmur", ".html", ownerOnly());
    try {
      Files.writeString(draft, html, StandardCharsets.UTF_8);
      Files.move(draft, target, StandardCopyOption.REPLACE_EXISTING);
    } finally {
      Files.deleteIfExists(draft);
    }
  }

  private static FileAttribute<?>[] ownerOnly() {
    return FileSystems.getDefault().supportedFileAttributeViews().contains("posix")
        ? new FileAttribute<?>[] {
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
        }
        : new FileAttribute<?>[0];
  }
}
