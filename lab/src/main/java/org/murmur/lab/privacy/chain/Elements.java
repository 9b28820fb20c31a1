package org.murmur.lab.privacy.chain;

import org.murmur.bip37.bytes.LittleEndian;

/**
 * The filter elements of a synthetic chain's scripts, keys and coins. Their bytes are computed from
 * their numbers, so none are stored. Scripts with numbers above the chain's are from before the
 * chain. Immutable; safe to share between threads.
 */
public final class Elements {

  /** Long enough for every element. */
  public static final int MAX_BYTES = 40;

  private static final int OUT_POINT_BYTES = 36;
  private static final int PUBLIC_KEY_BYTES = 33;

  private static final long STEP = 0x9e3779b97f4a7c15L;
  private static final long SCRIPT = 0x243f6a8885a308d3L;
  private static final long KEY = 0x13198a2e03707344L;
  private static final long TX = 0xa4093822299f31d0L;
  private static final long KIND = 0x082efa98ec4e6c89L;

  private final SyntheticChain chain;
  private final long seed;

  public Elements(SyntheticChain chain) {
    this.chain = chain;
    this.seed = mix(chain.plan().seed());
  }

  /** The number of scripts, including those from before the chain. */
  public int universe() {
    return Math.max(chain.scripts(), chain.plan().universe());
  }

  /** Whether a spend reveals a key that was known only by its hash. */
  public boolean hashesKey(int script) {
    return kindOf(script).hashesKey();
  }

  Kind kindOf(int script) {
    return script < chain.scripts()
        ? chain.kindOf(script)
        : Kind.ofPercent((int) Long.remainderUnsigned(mix(seed ^ KIND ^ mix(script * STEP)), 100));
  }

  /** Whether a script from before the chain was spent from: every other one. */
  public boolean isColdSpent(int script) {
    return (script & 1) == 0;
  }

  /** Writes the filter element of a script, and returns its length. */
  public int script(int script, byte[] out) {
    int length = kindOf(script).elementBytes();
    fill(SCRIPT, script, out, length);
    return length;
  }

  /** Writes the public key of a script, and returns its length. */
  public int publicKey(int script, byte[] out) {
    fill(KEY, script, out, PUBLIC_KEY_BYTES);
    out[0] = (byte) (2 + (out[0] & 1));
    return PUBLIC_KEY_BYTES;
  }

  /** Writes the outpoint of a coin, and returns its length. */
  public int outPoint(int coin, byte[] out) {
    int tx = chain.txOf(coin);
    fill(TX, tx, out, 32);
    LittleEndian.putInt32(out, 32, coin - chain.firstCoin(tx));
    return OUT_POINT_BYTES;
  }

  /** Writes an outpoint of a script from before the chain, and returns its length. */
  public int coldOutPoint(int script, byte[] out) {
    fill(TX, -1L - script, out, 32);
    LittleEndian.putInt32(out, 32, script & 1);
    return OUT_POINT_BYTES;
  }

  /**
   * The number of outpoints that can be tested: the chain's coins, and one for each script from
   * before it.
   */
  public int outPoints() {
    return chain.coins() + Math.max(0, universe() - chain.scripts());
  }

  /** The script paid by an outpoint; the chain's coins come first. */
  public int scriptOfOutPoint(int number) {
    return number < chain.coins()
        ? chain.scriptOf(number)
        : chain.scripts() + (number - chain.coins());
  }

  /** Writes an outpoint, and returns its length; the chain's coins come first. */
  public int anyOutPoint(int number, byte[] out) {
    return number < chain.coins()
        ? outPoint(number, out)
        : coldOutPoint(scriptOfOutPoint(number), out);
  }

  private void fill(long domain, long number, byte[] out, int length) {
    long state = mix(seed ^ domain ^ mix(number * STEP));
    for (int at = 0; at < length; at += 8) {
      state += STEP;
      LittleEndian.putInt64(out, at, mix(state));
    }
  }

  /** The finalizer of SplitMix64. */
  public static long mix(long value) {
    long z = value;
    z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
    z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
    return z ^ (z >>> 31);
  }
}
