package org.murmur.cli.demo;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.murmur.cli.payments.Events;
import org.murmur.cli.payments.HistoryCommand;
import org.murmur.cli.privacy.Learned;
import org.murmur.cli.sync.Reports;
import org.murmur.cli.terminal.Action;
import org.murmur.cli.terminal.Numbers;
import org.murmur.cli.terminal.Output;
import org.murmur.cli.terminal.Surroundings;
import org.murmur.cli.words.ExitCode;
import org.murmur.cli.words.JsonObject;
import org.murmur.cli.words.Text;
import org.murmur.cli.words.Unit;
import org.murmur.coins.keys.Mnemonic;
import org.murmur.coins.keys.OutputType;
import org.murmur.p2p.chain.ChainParams;
import org.murmur.regtest.BuiltChain;
import org.murmur.regtest.RegtestNode;
import org.murmur.regtest.node.Behaviour;
import org.murmur.wallet.SpvWallet;
import org.murmur.wallet.WalletRecipe;
import org.murmur.wallet.privacy.Universe;
import org.murmur.wallet.sync.HistoryEntry;
import org.murmur.wallet.sync.NoUsablePeerException;
import org.murmur.wallet.sync.SyncListener;
import org.murmur.wallet.sync.SyncOptions;
import org.murmur.wallet.sync.SyncReport;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code murmur demo}. */
@Command(
    name = "demo",
    description = "Run everything without a network: a node, a chain, a wallet, a sync.",
    footer = {
      "Starts the embedded regtest node on loopback and builds a chain with payments to a known",
      "wallet. Restores that wallet from its words, syncs it over TCP, and compares the result",
      "with the whole chain. Shows how many bytes filtering saved, and what the peer has learned.",
      "Leaves no files. With -v it shows the report of the sync and all that the peer learned.",
      "Examples:",
      "  murmur demo",
      "  murmur demo --blocks 1000 --seed 7 --json"
    })
public final class DemoCommand extends Action {

  /**
   * There is no pending payment, so the node does not answer `mempool`: a longer wait is useless.
   */
  private static final Duration MEMPOOL_WAIT = Duration.ofSeconds(1);

  private static final int LAST_SHOWN = 8;

  @Option(names = "--blocks", paramLabel = "N", description = "Length of the chain (default: 300).")
  private int blocks = 300;

  @Option(names = "--txs", paramLabel = "N", description = "Transactions a block (default: 20).")
  private int transactions = 20;

  @Option(names = "--seed", paramLabel = "N", description = "Seed of all random numbers.")
  private long seed = 1;

  @Override
  protected ExitCode run() throws IOException, NoUsablePeerException {
    blocks = (int) Numbers.within("--blocks", blocks, DemoWallet.MIN_BLOCKS, 100_000);
    transactions = (int) Numbers.within("--txs", transactions, 5, 2_000);
    Path folder = Files.createTempDirectory("murmur-demo");
    try {
      return run(folder);
    } finally {
      delete(folder);
    }
  }

  private ExitCode run(Path folder) throws IOException, NoUsablePeerException {
    Output output = output();
    Mnemonic mnemonic = Mnemonic.parse(DemoWallet.WORDS);
    output.note(
        Text.of(
            "Building a regtest chain of %s blocks with %s transactions each (seed %s) ...",
            blocks, transactions, seed));
    BuiltChain built = DemoWallet.chain(seed, blocks, transactions);
    try (RegtestNode node = RegtestNode.start(built.chain(), Behaviour.honest())) {
      output.note("The embedded node listens on " + node.address() + ".");
      WalletRecipe recipe =
          WalletRecipe.ofMnemonic(ChainParams.REGTEST, mnemonic, "", List.of(OutputType.P2WPKH), 0);
      try (SpvWallet wallet = SpvWallet.create(folder.resolve("demo.sqlite"), recipe)) {
        output.note("Restored the wallet \"" + DemoWallet.WORDS + "\" (public test words).");
        output.note(
            "Its first address is " + wallet.receive().current().address() + ". Syncing ...");
        SyncReport report = sync(wallet, node);
        DemoCheck check = DemoCheck.of(built.truth(), report, wallet.history().list());
        Learned learned = new Learned(wallet.privacy().report(Universe.of(ChainParams.REGTEST)));
        WholeBlocks whole = WholeBlocks.fetched(node, built.chain().height());
        Demonstration all =
            new Demonstration(
                wallet.history().list(), report, check, learned, whole, output.unit());
        boolean more = options().verbosity() > 0 || !all.succeeded();
        result(all.json(), more ? all::show : all::sumUp);
        if (!check.agrees()) {
          return ExitCode.FAILED;
        }
        return report.complete() ? ExitCode.DONE : ExitCode.NOT_SYNCED;
      }
    }
  }

  private SyncReport sync(SpvWallet wallet, RegtestNode node) throws NoUsablePeerException {
    SyncListener listener = event -> Events.write(event, output());
    Surroundings.Registration registration = surroundings().interrupts().onInterrupt(wallet::stop);
    try {
      return wallet.sync(
          SyncOptions.connect(node.address()).limits(limits -> limits.mempoolWait(MEMPOOL_WAIT)),
          listener);
    } finally {
      registration.end();
    }
  }

  /** A sync and what is known about it from elsewhere. */
  private record Demonstration(
      List<HistoryEntry> history,
      SyncReport report,
      DemoCheck check,
      Learned learned,
      WholeBlocks whole,
      Unit unit) {

    boolean succeeded() {
      return check.agrees() && report.complete();
    }

    JsonObject json() {
      return new JsonObject()
          .put("sync", Reports.json("demo", report))
          .put("history", history.stream().map(HistoryCommand::json).toList())
          .put("truth", check.json())
          .put("whole_blocks", whole.json(report.bytesReceived()))
          .put("peer_learned", learned.json());
    }

    void sumUp(PrintStream out) {
      out.println("It works. " + check.text());
      String balance = unit.named(report.balance().total());
      out.println(Text.of("Balance at height %s: %s.", report.height(), balance));
      out.println(whole.text(report.bytesReceived()));
      out.println(learned.verdict() + " A filter reveals them to its peer.");
      out.println("With -v: the report of the sync, transactions, and what the peer learned.");
    }

    void show(PrintStream out) {
      Reports.show(report, unit, out);
      out.println();
      int hidden = Math.max(0, history.size() - LAST_SHOWN);
      out.println(
          "The last " + (history.size() - hidden) + " of " + history.size() + " transactions:");
      history
          .subList(hidden, history.size())
          .forEach(e -> out.println(HistoryCommand.line(e, unit)));
      out.println();
      out.println("What the peer has learned:");
      learned.show(out);
      out.println();
      out.println(whole.text(report.bytesReceived()));
      out.println(check.text());
    }
  }

  public static void delete(Path folder) throws IOException {
    try (Stream<Path> all = Files.walk(folder)) {
      for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(path);
      }
    }
  }
}
