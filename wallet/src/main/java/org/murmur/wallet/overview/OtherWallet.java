package org.murmur.wallet.overview;

import java.util.List;
import org.murmur.coins.keys.OutputType;

/** Another wallet of the same words or keys, which may have the payments that this one lacks. */
public sealed interface OtherWallet {

  /**
   * One with other scripts.
   *
   * @param types those that this wallet does not have
   */
  record Scripts(List<OutputType> types) implements OtherWallet {
    /** Copies the list. */
    public Scripts {
      types = List.copyOf(types);
    }
  }

  /**
   * One with another account (BIP-0044).
   *
   * @param number of the account
   */
  record Account(int number) implements OtherWallet {}

  /** One with a BIP-0039 passphrase, or with another one. */
  record Passphrase() implements OtherWallet {}

  /**
   * One that looks further.
   *
   * @param limit how many unused receive addresses in a row end its search
   */
  record Gap(int limit) implements OtherWallet {}

  /** One whose search begins with an earlier block. */
  record EarlierBirthday() implements OtherWallet {}
}
