package org.murmur.cli;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import org.murmur.cli.demo.DemoCommand;
import org.murmur.cli.demo.DemoWallet;
import org.murmur.cli.terminal.Surroundings;
import org.murmur.regtest.RegtestNode;
import org.sqlite.util.LibraryLoaderUtil;

/**
 * Runs harmless commands in one process, so that the class data archive contains the classes of the
 * usual commands. The launcher starts it after a build. It prints nothing and leaves no files.
 */
final class TrainingRun {

  private final Path datadir;

  private TrainingRun(Path datadir) {
    this.datadir = datadir;
  }

  /**
   * Runs the commands. The argument is a folder for the database's native library, so that it is
   * unpacked once, not at every start.
   */
  public static void main(String[] args) throws IOException {
    if (args.length > 0) {
      unpackNativeLibrary(Path.of(args[0]));
    }
    Path folder = Files.createTempDirectory("murmur-training");
    try {
      new TrainingRun(folder).run();
    } finally {
      DemoCommand.delete(folder);
    }
  }

  private static void unpackNativeLibrary(Path folder) throws IOException {
    String name = LibraryLoaderUtil.getNativeLibName();
    String resource = LibraryLoaderUtil.getNativeLibResourcePath() + "/" + name;
    try (InputStream library = LibraryLoaderUtil.class.getResourceAsStream(resource)) {
      // No library for this platform: opening the database will report it.
      if (library != null) {
        Files.createDirectories(folder);
        Files.copy(library, folder.resolve(name), StandardCopyOption.REPLACE_EXISTING);
        System.setProperty("org.sqlite.lib.path", folder.toString());
      }
    }
  }

  private void run() {
    murmur("filter", "size", "--elements", "2000", "--fp", "1e-9", "--json");
    murmur("filter", "decode", "03614e9b050000000000000001");
    murmur("proof", "verify", "00", "--json");
    murmur("--version");
    murmur("help", "sync");
    murmur("no-such-command");
    murmur("restore", "--mnemonic-file", "-");
    try (RegtestNode node =
        RegtestNode.start(DemoWallet.chain(1, DemoWallet.MIN_BLOCKS, 5).chain())) {
      murmur("sync", "--connect", node.address());
      // A sync without new blocks: the case that must start fast.
      murmur("sync", "--connect", node.address(), "--json");
      murmur("sync", "--connect", node.address(), "--jsonl");
    }
    for (String command : List.of("balance", "history", "coins", "status", "address", "wallets")) {
      murmur(command);
      murmur(command, "--json");
    }
    murmur("peers");
    murmur("demo", "--blocks", String.valueOf(DemoWallet.MIN_BLOCKS), "--txs", "5");
  }

  private void murmur(String... args) {
    PrintStream nowhere =
        new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8);
    byte[] stdin = DemoWallet.WORDS.getBytes(StandardCharsets.UTF_8);
    // The result does not matter; the classes are loaded.
    int ignored =
        Murmur.run(
            List.of(args),
            new Surroundings(
                new ByteArrayInputStream(stdin),
                nowhere,
                nowhere,
                Map.of("MURMUR_NETWORK", "regtest", "MURMUR_DATADIR", datadir.toString()),
                null,
                false,
                false,
                false,
                stop -> () -> false));
  }
}
