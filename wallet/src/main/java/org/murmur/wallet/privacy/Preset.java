package org.murmur.wallet.privacy;

/** Which filters peers get in a sync. */
public enum Preset {
  /** One filter with everything, so sharp that each peer can read the wallet from it. */
  FAST,
  /** Scripts to one guard and outpoints to another, in padded filters that stay the same. */
  PRIVATE
}
