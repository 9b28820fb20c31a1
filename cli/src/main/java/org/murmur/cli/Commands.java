package org.murmur.cli;

import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.murmur.cli.demo.DemoCommand;
import org.murmur.cli.demo.NodeCommand;
import org.murmur.cli.filter.FilterCommands;
import org.murmur.cli.lab.LabCommands;
import org.murmur.cli.labels.FreezeCommands;
import org.murmur.cli.labels.LabelCommand;
import org.murmur.cli.pay.ReplaceCommands;
import org.murmur.cli.pay.SendCommand;
import org.murmur.cli.payments.AbandonCommand;
import org.murmur.cli.payments.AddressCommand;
import org.murmur.cli.payments.BalanceCommand;
import org.murmur.cli.payments.BroadcastCommand;
import org.murmur.cli.payments.CoinsCommand;
import org.murmur.cli.payments.HistoryCommand;
import org.murmur.cli.payments.MessageCommands;
import org.murmur.cli.payments.ProofCommands;
import org.murmur.cli.payments.PsbtCommands;
import org.murmur.cli.payments.TxCommand;
import org.murmur.cli.peers.PeersCommand;
import org.murmur.cli.privacy.PrivacyCommand;
import org.murmur.cli.sync.RescanCommand;
import org.murmur.cli.sync.StatusCommand;
import org.murmur.cli.sync.SyncCommand;
import org.murmur.cli.sync.WhyCommand;
import org.murmur.cli.wallet.CreateCommand;
import org.murmur.cli.wallet.ExportCommand;
import org.murmur.cli.wallet.PasswdCommand;
import org.murmur.cli.wallet.RestoreCommand;
import org.murmur.cli.wallet.WalletsCommand;
import org.murmur.cli.wallet.WatchCommand;
import picocli.CommandLine;

/**
 * The table of commands. Only commands named in the arguments are built: picocli reads annotations
 * by reflection, which would take most of a short command's time.
 */
final class Commands {

  private record Entry(String name, Supplier<Object> maker, List<String> aliases) {
    Entry(String name, Supplier<Object> maker) {
      this(name, maker, List.of());
    }

    boolean answersTo(String word) {
      return name.equals(word) || aliases.contains(word);
    }
  }

  // In the order of the help text.
  private static final List<Entry> ALL =
      List.of(
          new Entry("demo", DemoCommand::new),
          new Entry("create", CreateCommand::new),
          new Entry("restore", RestoreCommand::new),
          new Entry("watch", WatchCommand::new),
          new Entry("wallets", WalletsCommand::new),
          new Entry("passwd", PasswdCommand::new),
          new Entry("export", ExportCommand::new),
          new Entry("sync", SyncCommand::new),
          new Entry("rescan", RescanCommand::new),
          new Entry("address", AddressCommand::new, List.of("receive")),
          new Entry("balance", BalanceCommand::new),
          new Entry("history", HistoryCommand::new, List.of("transactions")),
          new Entry("coins", CoinsCommand::new, List.of("unspent")),
          new Entry("tx", TxCommand::new),
          new Entry("label", LabelCommand::new),
          new Entry("freeze", FreezeCommands.Freeze::new),
          new Entry("unfreeze", FreezeCommands.Unfreeze::new),
          new Entry("send", SendCommand::new),
          new Entry("bump", ReplaceCommands.Bump::new),
          new Entry("cancel", ReplaceCommands.Cancel::new),
          new Entry("broadcast", BroadcastCommand::new),
          new Entry("abandon", AbandonCommand::new),
          new Entry("why", WhyCommand::new),
          new Entry("status", StatusCommand::new, List.of("info")),
          new Entry("peers", PeersCommand::new),
          new Entry("privacy", PrivacyCommand::new),
          new Entry("filter", FilterCommands::new),
          new Entry("proof", ProofCommands::new),
          new Entry("psbt", PsbtCommands::new),
          new Entry("message", MessageCommands::new),
          new Entry("node", NodeCommand::new),
          new Entry("lab", LabCommands::new),
          new Entry("completion", HelpCommands.Completion::new),
          new Entry("man", HelpCommands.Man::new),
          new Entry("help", HelpCommands.Help::new));

  /** Commands that write about all others. */
  private static final Set<String> ABOUT_ALL = Set.of("help", "completion", "man");

  private Commands() {}

  static List<String> names() {
    return ALL.stream()
        .flatMap(entry -> Stream.concat(Stream.of(entry.name()), entry.aliases().stream()))
        .toList();
  }

  /** Adds the commands that the arguments name, or all of them if that is not clear. */
  static void addTo(CommandLine root, List<String> args) {
    if (args.equals(List.of("--version")) || args.equals(List.of("-V"))) {
      return;
    }
    List<Entry> named =
        ALL.stream().filter(entry -> args.stream().anyMatch(entry::answersTo)).toList();
    boolean helpWanted = args.stream().anyMatch(ABOUT_ALL::contains);
    for (Entry entry : named.isEmpty() || helpWanted ? ALL : named) {
      root.addSubcommand(entry.name(), entry.maker().get(), entry.aliases().toArray(String[]::new));
    }
  }
}
