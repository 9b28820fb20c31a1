package org.murmur.cli.wallet;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.murmur.coins.keys.OutputType;
import org.murmur.p2p.chain.ChainParams;
import org.murmur.wallet.SpvWallet;
import org.murmur.wallet.overview.OtherWallet;
import org.murmur.wallet.overview.WalletOrigin;

/**
 * The facts that make a wallet besides its words, and other wallets of the same words. Words alone
 * are the wallet only with the usual scripts, account and gap limit, and without a passphrase.
 */
public final class Restoring {

  private static final String USUAL_SCRIPTS = "bip84";
  private static final int USUAL_GAP = 20;

  private final ChainParams network;
  private final WalletOrigin origin;

  public Restoring(SpvWallet wallet) {
    this.network = wallet.network();
    this.origin = wallet.keys().origin();
  }

  /** The options of `restore` that make this wallet of its words; none if words are enough. */
  private List<String> options() {
    List<String> options = new ArrayList<>();
    String all = names(origin.scripts());
    if (!all.equals(USUAL_SCRIPTS)) {
      options.add("--scripts " + all);
    }
    origin.accounts().stream()
        .filter(account -> account != 0)
        .forEach(account -> options.add(option(new OtherWallet.Account(account))));
    if (origin.passphraseUsed()) {
      options.add(option(new OtherWallet.Passphrase()));
    }
    if (origin.gap() != USUAL_GAP) {
      options.add(option(new OtherWallet.Gap(origin.gap())));
    }
    return options;
  }

  private static String names(Collection<OutputType> types) {
    return types.stream().map(OutputType::bip).collect(Collectors.joining(","));
  }

  /** Returns the option of `restore` or `watch` that makes this wallet of the same words. */
  public static String option(OtherWallet other) {
    if (other instanceof OtherWallet.Scripts scripts) {
      return "--scripts " + names(scripts.types());
    }
    if (other instanceof OtherWallet.Account account) {
      return "--account " + account.number();
    }
    if (other instanceof OtherWallet.Gap gap) {
      return "--gap " + gap.limit();
    }
    return other instanceof OtherWallet.Passphrase
        ? "--passphrase-file FILE"
        : "--birthday, an earlier one";
  }

  /** Whether the words, given to another wallet without more, make this one. */
  boolean isOfWordsAlone() {
    return options().isEmpty();
  }

  /** Returns the command that makes this wallet of its words; empty for a wallet without words. */
  public Optional<String> command() {
    if (!origin.hasWords()) {
      return Optional.empty();
    }
    List<String> options = options();
    return Optional.of(
        "murmur --network "
            + network.name()
            + network.challenge().map(c -> " --signet-challenge " + c.toHex()).orElse("")
            + " restore"
            + (options.isEmpty() ? "" : " " + String.join(" ", options)));
  }

  /** Says whether words are the wallet, and what else is. */
  List<String> ofWords(int words) {
    String these = "These " + words + " words";
    List<String> sentences = new ArrayList<>();
    if (origin.passphraseUsed()) {
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
}
