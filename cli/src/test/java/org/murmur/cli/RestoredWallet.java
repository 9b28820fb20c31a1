package org.murmur.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.murmur.cli.demo.DemoWallet;
import org.murmur.cli.words.ExitCode;
import org.murmur.regtest.BuiltChain;
import org.murmur.regtest.RegtestNode;

/** The start of a test: the demonstration's wallet, restored on regtest in a separate folder. */
public abstract class RestoredWallet {
  /** No test listens there: it is no port that the system gives. */
  protected static final String NOBODY = "127.0.0.1:1";

  /** A chain with the wallet's payments, built by the first test that needs it. */
  private static final class Lived {
    private static final BuiltChain CHAIN = DemoWallet.chain(11, 129, 8);
  }

  @TempDir
  @SuppressWarnings("NullAway") // JUnit sets it
  protected Path datadir;

  @BeforeEach
  protected final void restore() throws IOException {
    Path words = datadir.resolve("words.txt");
    Files.writeString(words, DemoWallet.WORDS);
    murmur("restore", "--mnemonic-file", words.toString()).exits(ExitCode.DONE);
  }

  /** Prepares a command about the wallet. */
  protected final Ran.With here() {
    return Ran.with().datadir(datadir).environment("MURMUR_NETWORK", "regtest");
  }

  /** Runs a command about the wallet. */
  protected final Ran murmur(String... args) {
    return here().murmur(args);
  }

  /** A chain with the wallet's payments; nodes take copies of it. */
  protected static BuiltChain lived() {
    return Lived.CHAIN;
  }

  /** A node with that chain. */
  protected static RegtestNode node() {
    return RegtestNode.start(lived().chain().copy());
  }
}
