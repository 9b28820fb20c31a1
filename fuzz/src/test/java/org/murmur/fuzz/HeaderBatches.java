package org.murmur.fuzz;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.p2p.chain.ChainParams;
import org.murmur.p2p.chain.ChainWork;
import org.murmur.p2p.internal.chain.Connect;
import org.murmur.p2p.internal.chain.HeaderChain;
import org.murmur.p2p.internal.wire.Headers;

/**
 * Batches of headers for a chain of regtest. Input is a row of steps of six bytes: the height to
 * build on, how many headers, seconds between two, what to break in the last one, and whether it is
 * mined. Headers are whole otherwise, since no fuzzer finds links and proofs of work.
 */
public final class HeaderBatches {

  private static final int STEP = 6;
  private static final int MAX_STEPS = 40;
  private static final int REGTEST_BITS = 0x207fffff;
  private static final long NOW = 1_800_000_000L;

  private HeaderBatches() {}

  public static void fuzzerTestOneInput(byte[] input) {
    HeaderChain chain = HeaderChain.ofGenesis(ChainParams.REGTEST);
    for (int at = 0; at + STEP <= Math.min(input.length, MAX_STEPS * STEP); at += STEP) {
      Headers batch = batch(chain, Arrays.copyOfRange(input, at, at + STEP), at);
      int height = chain.height();
      Hash256 tip = chain.tip();
      ChainWork work = chain.work();
      Connect connect = chain.connect(batch, NOW);
      Check.that(chain.work().compareTo(work) >= 0, "less work than before: " + connect);
      if (connect instanceof Connect.Extended e) {
        Check.that(chain.work().compareTo(work) > 0, "extended without work");
        Check.equal(chain.height(), e.forkHeight() + e.connected(), "height");
        Check.equal(chain.tip(), batch.hash(batch.count() - 1), "tip");
        Check.that(e.forkHeight() <= height, "forked off above the tip");
      } else {
        Check.equal(chain.height(), height, "height after " + connect);
        Check.equal(chain.tip(), tip, "tip after " + connect);
      }
      if (connect instanceof Connect.Invalid invalid) {
        Check.that(invalid.index() >= 0 && invalid.index() < batch.count(), "index of " + invalid);
        Check.equal(chain.connect(batch, NOW), connect, "the same batch again");
      } else if (connect instanceof Connect.Extended) {
        Check.equal(chain.connect(batch, NOW), new Connect.Known(), "the same batch again");
      }
      Hash256 previous = ChainParams.REGTEST.genesisHash();
      for (int h = 1; h <= chain.height(); h++) {
        Headers one = chain.headers(h, h + 1);
        Check.equal(one.previous(0), previous, "link at " + h);
        previous = one.hash(0);
        Check.equal(chain.hashAt(h), previous, "hash at " + h);
        Check.equal(chain.heightOf(previous), h, "height of " + previous);
      }
      Check.equal(chain.tip(), previous, "last header");
    }
  }

  private static Headers batch(HeaderChain chain, byte[] step, int salt) {
    int count = 1 + (step[1] & 0x1f);
    int from = (step[0] & 0xff) % (chain.height() + 1);
    byte[] headers = new byte[count * Headers.HEADER_LENGTH];
    Hash256 previous = chain.hashAt(from);
    long time = chain.timeAt(from);
    for (int i = 0; i < count; i++) {
      time += step[2];
      byte[] header = new byte[Headers.HEADER_LENGTH];
      ByteBuffer out = ByteBuffer.wrap(header).order(ByteOrder.LITTLE_ENDIAN);
      out.putInt(0, 1);
      previous.write(header, 4);
      out.putInt(36, salt).putInt(40, i).putInt(68, (int) time).putInt(72, REGTEST_BITS);
      boolean last = i == count - 1;
      if (last) {
        breakIt(out, step[3], step[4]);
      }
      mine(header, last && (step[5] & 1) != 0);
      System.arraycopy(header, 0, headers, i * Headers.HEADER_LENGTH, header.length);
      previous = Headers.ofStored(Bytes.of(header)).hash(0);
    }
    return Headers.ofStored(Bytes.of(headers));
  }

  /** Overwrites a byte of the previous hash, the time or the bits. */
  private static void breakIt(ByteBuffer header, byte place, byte value) {
    switch (place & 7) {
      case 1 -> header.put(4 + (place >> 3 & 0x1f), value);
      case 2 -> header.put(68 + (place >> 3 & 3), value);
      case 3 -> header.put(72 + (place >> 3 & 3), value);
      default -> {}
    }
  }

  /** On regtest every second nonce is good: the hash's last byte is below 0x80. */
  private static void mine(byte[] header, boolean badly) {
    for (int nonce = 0; nonce < 64; nonce++) {
      header[76] = (byte) nonce;
      byte[] hash = new byte[Hash256.LENGTH];
      Headers.ofStored(Bytes.of(header)).hash(0).write(hash, 0);
      if (hash[31] >= 0 != badly) {
        return;
      }
    }
  }
}
