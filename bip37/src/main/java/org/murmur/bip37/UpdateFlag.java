package org.murmur.bip37;

/**
 * How the server-side filter changes when an output matches: the {@code nFlags} of BIP-0037's
 * {@code filterload}.
 */
public enum UpdateFlag {
  /** The server-side filter does not change. */
  NONE(0),

  /** The outpoint of every matching output is inserted, so that its spend matches too. */
  ALL(1),

  /** As {@link #ALL}, but only for outputs that pay bare public keys: P2PK and bare multisig. */
  P2PUBKEY_ONLY(2);

  /** The defined bits of the flags byte. */
  private static final int MASK = 3;

  private final int code;

  UpdateFlag(int code) {
    this.code = code;
  }

  /** {@return the value of the flags byte, 0, 1 or 2} */
  public int code() {
    return code;
  }

  /**
   * Reads a flags byte as Bitcoin Core does: it masks the lowest two bits and compares the result
   * with {@link #ALL} and {@link #P2PUBKEY_ONLY}, so the unassigned value 3 updates nothing.
   *
   * @param code the flags byte; bits above the lowest two are ignored
   * @return the flag that a server uses
   */
  public static UpdateFlag ofCode(int code) {
    return switch (code & MASK) {
      case 1 -> ALL;
      case 2 -> P2PUBKEY_ONLY;
      default -> NONE;
    };
  }
}
