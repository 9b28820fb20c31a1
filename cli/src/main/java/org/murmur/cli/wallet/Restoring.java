package org.murmur.cli.wallet;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.murmur.p2p.chain.Birthday;
import org.murmur.wallet.WalletInfo;
import org.murmur.wallet.keys.OutputType;

/**
 * The facts that make a wallet besides its words, and other wallets of the same words. Words alone
 * are the wallet only with the usual scripts, account and gap limit, and without a passphrase.
 */
public final class Restoring {

  private static final String USUAL_SCRIPTS = "bip84";
  private static final int USUAL_GAP = 20;

  /** A new wallet is born a day before it is made, restored ones are older. */
  private static final Duration NEW = Duration.ofDays(2);

  /** The origin of an account's key (BIP-0380): purpose and account. */
  private static final Pattern ORIGIN =
      Pattern.compile("\\[[0-9a-f]{8}/(\\d+)['h]/\\d+['h]/(\\d+)['h]");

  private final WalletInfo info;
  private final Set<String> scripts = new LinkedHashSet<>();
  private final Set<String> accounts = new LinkedHashSet<>();

  /** Looks at a wallet. */
  public Restoring(WalletInfo info) {
    this.info = info;
    for (String descriptor : info.descriptors()) {
      Matcher origin = ORIGIN.matcher(descriptor);
      if (origin.find()) {
        scripts.add("bip" + origin.group(1));
        accounts.add(origin.group(2));
      }
    }
  }

  /** The options of `restore` that make this wallet of its words; none if words are enough. */
  private List<String> options() {
    List<String> options = new ArrayList<>();
    String all = String.join(",", scripts);
    if (!all.equals(USUAL_SCRIPTS)) {
      options.add("--scripts " + all);
    }
    accounts.stream()
        .filter(account -> !account.equals("0"))
        .forEach(account -> options.add("--account " + account));
    if (info.passphraseUsed()) {
      options.add("--passphrase-file FILE");
    }
    if (info.gap() != USUAL_GAP) {
      options.add("--gap " + info.gap());
    }
    return options;
  }

  /** Whether the words, given to another wallet without more, make this one. */
  boolean isOfWordsAlone() {
    return options().isEmpty();
  }

  /**
   * Returns the command that makes this wallet of its words.
   *
   * @return empty for a wallet without words
   */
  public Optional<String> command() {
    if (!info.hasWords()) {
      return Optional.empty();
    }
    List<String> options = options();
    return Optional.of(
        "murmur --network "
            + info.network().name()
            + info.network().challenge().map(c -> " --signet-challenge " + c.toHex()).orElse("")
            + " restore"
            + (options.isEmpty() ? "" : " " + String.join(" ", options)));
  }

  /** Says whether words are the wallet, and what else is. */
  List<String> ofWords(int words) {
    String these = "These " + words + " words";
    List<String> sentences = new ArrayList<>();
    if (info.passphraseUsed()) {
      sentences.add(
          these
              + " and the passphrase are the wallet. Anybody who has both can spend the coins;"
              + " nobody can without both.");
      sentences.add("The passphrase is not stored: keep it as well.");
    } else if (options().isEmpty()) {
      sentences.add(these + " are the wallet. Anybody who has them can spend the coins.");
    } else {
      sentences.add(
          "Anybody who has these "
              + words
              + " words can spend the coins. The words alone restore another wallet.");
    }
    if (!options().isEmpty()) {
      command().ifPresent(line -> sentences.add("This one: " + line));
    }
    return sentences;
  }

  /**
   * Returns whether the wallet may have been used before it was made here. A new one has not.
   *
   * @return true if it was restored, or watches
   */
  public boolean mayHaveAPast() {
    return !(info.birthday() instanceof Birthday.AtTime born)
        || info.created().map(made -> born.time().isBefore(made.minus(NEW))).orElse(true);
  }

  /**
   * Returns what to try if a wallet that should have payments has none.
   *
   * @return options of `restore` or `watch`, for a wallet of another name
   */
  public List<String> alternatives() {
    List<String> others = new ArrayList<>();
    String rest =
        Arrays.stream(OutputType.values())
            .map(OutputType::bip)
            .filter(name -> !scripts.contains(name))
            .collect(Collectors.joining(","));
    if (info.hasWords()) {
      if (!rest.isEmpty()) {
        others.add("--scripts " + rest);
      }
      others.add("--account " + (accounts.contains("0") ? 1 : 0));
      others.add("--passphrase-file FILE");
    }
    if (info.descriptors().stream().anyMatch(each -> each.contains("*"))) {
      others.add("--gap " + Math.max(100, 5 * info.gap()));
    }
    if (!(info.birthday() instanceof Birthday.AtHeight first && first.height() <= 1)) {
      others.add("--birthday, an earlier one");
    }
    return others;
  }
}
