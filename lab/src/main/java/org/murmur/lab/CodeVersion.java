package org.murmur.lab;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.List;
import java.util.Properties;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.BloomFilter;
import org.murmur.bip37.bytes.Hex;
import org.murmur.p2p.chain.ChainParams;
import org.murmur.regtest.RegtestNode;
import org.murmur.wallet.SpvWallet;

/**
 * Identifies the code that computed a result: the version, and a digest of the compiled classes of
 * all modules that experiments run. The digest covers uncommitted changes, so results of different
 * code are not merged by mistake. Another compiler may produce other classes from the same sources:
 * use the same build on every machine of a divided run.
 */
public final class CodeVersion {

  private static final int DIGITS = 12;

  private CodeVersion() {}

  /** Returns the version of the running code, for instance {@code 0.1.0+6f1c0a9b2d3e}. */
  public static String ofThis() throws IOException {
    @Nullable String version = CodeVersion.class.getPackage().getImplementationVersion();
    return (version == null ? "" : version) + "+" + digest().substring(0, DIGITS);
  }

  /**
   * Returns the commit that the build recorded, in hex, with {@code -dirty} if tracked files had
   * other changes; null for a build of sources without their repository.
   */
  public static @Nullable String commit() {
    Properties build = new Properties();
    try (InputStream in = CodeVersion.class.getResourceAsStream("commit.properties")) {
      if (in != null) {
        build.load(in);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("the program's own files cannot be read", e);
    }
    String commit = build.getProperty("git.commit.id.full");
    boolean dirty = "true".equals(build.getProperty("git.dirty"));
    return commit == null ? null : dirty ? commit + "-dirty" : commit;
  }

  /**
   * Returns the commit in few characters, for people: {@code commit c9346309933f, with changes}.
   */
  public static String commitInWords() {
    String commit = commit();
    if (commit == null) {
      return "commit unknown: built without git";
    }
    return "commit "
        + commit.substring(0, DIGITS)
        + (commit.endsWith("-dirty") ? ", with changes" : "");
  }

  private static String digest() throws IOException {
    MessageDigest digest;
    try {
      digest = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every Java has SHA-256", e);
    }
    for (Class<?> one :
        List.of(
            BloomFilter.class,
            ChainParams.class,
            RegtestNode.class,
            SpvWallet.class,
            Study.class)) {
      add(place(one), digest);
    }
    return Hex.format(digest.digest());
  }

  private static Path place(Class<?> one) throws IOException {
    CodeSource source = one.getProtectionDomain().getCodeSource();
    if (source == null) {
      throw new IOException("where " + one + " comes from is not known");
    }
    try {
      return Path.of(source.getLocation().toURI());
    } catch (URISyntaxException e) {
      throw new IOException("where " + one + " comes from is not a file", e);
    }
  }

  private static void add(Path place, MessageDigest digest) throws IOException {
    if (Files.isDirectory(place)) {
      addAll(place, digest);
    } else {
      try (FileSystem jar = FileSystems.newFileSystem(place)) {
        addAll(jar.getPath("/"), digest);
      }
    }
  }

  private static void addAll(Path root, MessageDigest digest) throws IOException {
    List<Path> classes;
    try (Stream<Path> files = Files.walk(root)) {
      classes = files.filter(file -> file.toString().endsWith(".class")).sorted().toList();
    }
    byte[] buffer = new byte[8192];
    for (Path file : classes) {
      try (InputStream in = Files.newInputStream(file)) {
        for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
          digest.update(buffer, 0, read);
        }
      }
    }
  }
}
