package org.murmur.wallet.overview;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.murmur.coins.keys.OutputType;
import org.murmur.p2p.chain.Birthday;

/**
 * The facts that make a wallet besides its words or keys, and other wallets of the same words or
 * keys.
 *
 * @param descriptors what it watches, canonical
 * @param hasWords whether it holds the words it came from
 * @param passphraseUsed whether a BIP-0039 passphrase belongs to the words
 * @param gap how many unused receive addresses in a row end a restore's search
 * @param birthday no earlier block concerns it
 * @param created when it was made here; empty if damage to the file lost it
 */
public record WalletOrigin(
    List<String> descriptors,
    boolean hasWords,
    boolean passphraseUsed,
    int gap,
    Birthday birthday,
    Optional<Instant> created) {

  /** A new wallet is born a day before it is made, restored ones are older. */
  private static final Duration NEW = Duration.ofDays(2);

  private static final int WIDE_GAP = 100;

  /** The origin of an account's key (BIP-0380): purpose and account. */
  private static final Pattern ACCOUNT =
      Pattern.compile("\\[[0-9a-f]{8}/(\\d+)['h]/\\d+['h]/(\\d+)['h]");

  /** Copies the list. */
  public WalletOrigin {
    descriptors = List.copyOf(descriptors);
  }

  /**
   * {@return the script types of its accounts, each once, in the order of the descriptors; empty if
   * no origin is known}
   */
  public Set<OutputType> scripts() {
    return accountParts(1).stream()
        .flatMap(bip -> Arrays.stream(OutputType.values()).filter(t -> t.bip().equals("bip" + bip)))
        .collect(Collectors.toCollection(LinkedHashSet::new));
  }

  /** {@return the numbers of its accounts, each once; empty if no origin is known} */
  public Set<Integer> accounts() {
    return accountParts(2).stream()
        .map(Integer::valueOf)
        .collect(Collectors.toCollection(LinkedHashSet::new));
  }

  private Set<String> accountParts(int group) {
    Set<String> parts = new LinkedHashSet<>();
    for (String descriptor : descriptors) {
      Matcher account = ACCOUNT.matcher(descriptor);
      if (account.find()) {
        parts.add(account.group(group));
      }
    }
    return parts;
  }

  /**
   * {@return whether the wallet may have been used before it was made here; true if it was
   * restored, or watches} A new one has not.
   */
  public boolean mayHaveAPast() {
    return !(birthday instanceof Birthday.AtTime born)
        || created.map(made -> born.time().isBefore(made.minus(NEW))).orElse(true);
  }

  /**
   * {@return which wallet to try if this one should have payments and has none, for instance one
   * with another account; empty for a new wallet}
   */
  public List<OtherWallet> others() {
    List<OtherWallet> others = new ArrayList<>();
    if (!mayHaveAPast()) {
      return others;
    }
    if (hasWords) {
      Set<OutputType> rest = new LinkedHashSet<>(Arrays.asList(OutputType.values()));
      rest.removeAll(scripts());
      if (!rest.isEmpty()) {
        others.add(new OtherWallet.Scripts(new ArrayList<>(rest)));
      }
      others.add(new OtherWallet.Account(accounts().contains(0) ? 1 : 0));
      others.add(new OtherWallet.Passphrase());
    }
    if (descriptors.stream().anyMatch(each -> each.contains("*"))) {
      others.add(new OtherWallet.Gap(Math.max(WIDE_GAP, 5 * gap)));
    }
    if (!(birthday instanceof Birthday.AtHeight first && first.height() <= 1)) {
      others.add(new OtherWallet.EarlierBirthday());
    }
    return others;
  }
}
