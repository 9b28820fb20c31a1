package org.murmur.testbed.bitcoind;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/** Folders: finds the project's cache, copies and deletes whole folders. */
final class Folders {

  private Folders() {}

  /** The project's cache folder, the same that {@code tools/bitcoind} uses. */
  static Path cache() {
    String own = System.getenv("MURMUR_CACHE");
    if (own != null && !own.isBlank()) {
      return Path.of(own);
    }
    String xdg = System.getenv("XDG_CACHE_HOME");
    Path base =
        xdg != null && !xdg.isBlank()
            ? Path.of(xdg)
            : Path.of(System.getProperty("user.home"), ".cache");
    return base.resolve("murmur");
  }

  /** Fills a folder. */
  interface Filling {
    void fill(Path folder) throws IOException;
  }

  /** Makes a folder in one step, so that no process reads half of it; the first one's stays. */
  static void make(Path folder, Filling filling) throws IOException {
    Files.createDirectories(folder.getParent());
    Path work = Files.createTempDirectory(folder.getParent(), "making");
    try {
      filling.fill(work);
      if (!Files.exists(folder)) {
        Files.move(work, folder);
      }
    } finally {
      if (Files.exists(work)) {
        delete(work);
      }
    }
  }

  /** Copies all files below one folder to another, which exists. */
  static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : files.toList()) {
        Path target = to.resolve(from.relativize(file).toString());
        if (Files.isDirectory(file)) {
          Files.createDirectories(target);
        } else {
          Files.copy(file, target);
        }
      }
    }
  }

  /** Deletes a folder with its content. */
  static void delete(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    }
  }
}
