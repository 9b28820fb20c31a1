package org.murmur.cli.wallet;

import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.murmur.cli.terminal.Choices;
import org.murmur.cli.terminal.Inputs;
import org.murmur.cli.words.ExitCode;
import org.murmur.cli.words.Failure;
import org.murmur.cli.words.Failures;
import org.murmur.cli.words.Neighbour;
import org.murmur.coins.keys.AddressException;
import org.murmur.coins.keys.Descriptor;
import org.murmur.coins.keys.DescriptorException;
import org.murmur.coins.keys.KeyNetwork;
import org.murmur.coins.keys.OutputType;
import org.murmur.coins.keys.WatchTarget;
import org.murmur.p2p.chain.Birthday;
import org.murmur.p2p.chain.ChainParams;
import org.murmur.wallet.SpvWallet;
import org.murmur.wallet.WalletRecipe;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code murmur watch}. */
@Command(
    name = "watch",
    description = "Create a watch-only wallet from an xpub, a descriptor, or addresses.",
    footer = {
      "Examples:",
      "  murmur watch vpub5Y6cjg78GG...",
      "  murmur --network mainnet watch \"wpkh(xpub.../<0;1>/*)\" --birthday 850000",
      "  murmur -w donations watch tb1q... tb1p..."
    })
public final class WatchCommand extends WalletAction {

  @Parameters(
      arity = "1..*",
      paramLabel = "KEY|DESCRIPTOR|ADDRESS",
      description = "What to watch; - reads them from stdin, one a line.")
  private List<String> targets = new ArrayList<>();

  @Option(
      names = "--scripts",
      paramLabel = "TYPE",
      completionCandidates = Choices.Scripts.class,
      description = "For an xpub or tpub: bip84 (default), bip44, bip49 or bip86.")
  private @Nullable String scripts;

  @Mixin private WatchingOptions watching = new WatchingOptions();

  @Override
  protected ExitCode run() {
    ChainParams network = network();
    Birthday birthday = watching.birthday(Instant.now());
    List<Descriptor> descriptors = descriptors(keyNetwork());
    Path file = files().fresh(walletName());
    WalletRecipe recipe =
        watching.applyTo(WalletRecipe.ofDescriptors(network, descriptors).withBirthday(birthday));
    List<String> withoutChange =
        recipe.withoutChange().stream().map(Descriptor::canonical).toList();
    if (!withoutChange.isEmpty()) {
      output()
          .warning(
              "only receive addresses (/0/*) are watched. If a wallet with these keys pays, its"
                  + " change is missing in the balance. To watch it, give the second line of"
                  + " `murmur export descriptor` too, or <0;1> instead of 0");
    }
    try (SpvWallet wallet = SpvWallet.create(file, recipe)) {
      NewWallet.print(
          this, wallet, NewWallet.json(this, wallet).put("without_change", withoutChange));
    }
    return ExitCode.DONE;
  }

  private List<Descriptor> descriptors(KeyNetwork keyNetwork) {
    String scripts = this.scripts;
    @Nullable OutputType type =
        scripts == null ? null : Failure.checked("--scripts", () -> OutputType.ofName(scripts));
    List<Descriptor> descriptors =
        texts().entrySet().stream()
            .flatMap(target -> read(target, keyNetwork, type).stream())
            .distinct()
            .toList();
    if (descriptors.isEmpty()) {
      throw Failure.usage("nothing to watch");
    }
    return descriptors;
  }

  private List<Descriptor> read(
      Map.Entry<String, String> target, KeyNetwork network, @Nullable OutputType type) {
    try {
      return WatchTarget.parse(target.getValue(), network, type).descriptors();
    } catch (AddressException | DescriptorException e) {
      Failure failure = Failures.of(e, output().unit());
      throw target.getKey().isEmpty() ? failure : failure.at(target.getKey());
    }
  }

  /** The things to watch, each with its place in the input; an only argument has none. */
  private Map<String, String> texts() {
    Map<String, String> texts = new LinkedHashMap<>();
    for (int i = 0; i < targets.size(); i++) {
      if (!targets.get(i).equals("-")) {
        texts.put(targets.size() == 1 ? "" : "argument " + (i + 1), targets.get(i));
        continue;
      }
      String all = Inputs.text("stdin", "-", surroundings());
      Failure unread = Failure.failed("bad_descriptor", "stdin: nothing to watch");
      Failure explained = Neighbour.explained(unread, List.of(all));
      if (explained != unread) {
        throw explained;
      }
      List<String> lines = all.lines().map(String::strip).toList();
      for (int line = 0; line < lines.size(); line++) {
        if (!lines.get(line).isEmpty()) {
          texts.put("line " + (line + 1), lines.get(line));
        }
      }
    }
    return texts;
  }
}
