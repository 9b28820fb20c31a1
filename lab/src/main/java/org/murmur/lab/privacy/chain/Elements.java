package org.murmur.lab.privacy.chain;

import org.murmur.bip37.bytes.LittleEndian;

/**
 * The bytes that filters hold of a synthetic chain's scripts, keys and coins: made from their
 * numbers, so that none need be stored. Scripts with numbers above the chain's are those from
 * before it. Immutable; safe to share between threads.
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

  /** How many scripts there are, those from before the chain included. */
  public int universe() {
    return Math.max(chain.scripts(), chain.plan().universe());
  }

  public Kind kindOf(int script) {
    return script < chain.scripts()
        ? chain.kindOf(script)
        : Kind.ofPercent((int) Long.remainderUnsigned(mix(seed ^ KIND ^ mix(script * STEP)), 100));
  }

  /** Whether a script from before the chain has been spent from: every other one. */
  public boolean isColdSpent(int script) {
    return (script & 1) == 0;
  }

  /** Writes what a filter holds of a script, and returns its length. */
  public int script(int script, byte[] out) {
    int length = kindOf(script).elementBytes();
    fill(SCRIPT, script, out, length);
    return length;
  }

  /** Writes the key whose hash is in a script, and returns its length. */
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

  /** How many outpoints can be tested: the chain's coins, and one of each script from before it. */
  public int outPoints() {
    return chain.coins() + Math.max(0, universe() - chain.scripts());
  }

  /** The script that an outpoint of all pays, the chain's coins first. */
  public int scriptOfOutPoint(int number) {
    return number < chain.coins()
        ? chain.scriptOf(number)
        : chain.scripts() + (number - chain.coins());
  }

  /** The bytes of an outpoint of all, the chain's coins first. */
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

  /** SplitMix64's last step. */
  public static long mix(long value) {
    long z = value;
    z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
    z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
    return z ^ (z >>> 31);
  }
}
