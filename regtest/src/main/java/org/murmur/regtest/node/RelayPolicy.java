package org.murmur.regtest.node;

import java.util.List;
import org.bitcoinj.script.Script;
import org.bitcoinj.script.ScriptException;
import org.bitcoinj.script.ScriptPattern;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.tx.Tx;
import org.murmur.regtest.chain.Chain;
import org.murmur.regtest.chain.ChainCoin;
import org.murmur.regtest.chain.ScriptCheck;

/**
 * Decides which transactions a node accepts and relays: Core's rules for standard ones, as far as a
 * wallet meets them. Blocks may hold others. {@code AcceptanceContract} compares it with the real
 * node.
 */
final class RelayPolicy {

  /** Core's MAX_STANDARD_TX_WEIGHT. */
  private static final int MAX_WEIGHT = 400_000;

  /** Core's MIN_STANDARD_TX_NONWITNESS_SIZE: 64 bytes could be an inner node of a Merkle tree. */
  private static final int MIN_SIZE = 65;

  /** Core's MAX_STANDARD_SCRIPTSIG_SIZE. */
  private static final int MAX_SCRIPT_SIG = 1650;

  /** Core's TX_MAX_STANDARD_VERSION. */
  private static final int MAX_VERSION = 3;

  /** Satoshi for a virtual byte: an output is dust if spending it at this rate eats it up. */
  private static final long DUST_RATE = 3;

  /** Bytes of an input that spends a legacy output, and virtual bytes of one with a witness. */
  private static final int LEGACY_INPUT = 148;

  private static final int WITNESS_INPUT = 67;

  /** The most bytes of an OP_RETURN output (Core 29's default; Knots has less). */
  private static final int MAX_DATA_SCRIPT = 83;

  private static final int OP_RETURN = 0x6a;
  private static final int FINAL = 0xffffffff;
  private static final int LOCK_TIME_THRESHOLD = 500_000_000;
  private static final int SEQUENCE_DISABLED = 1 << 31;
  private static final int SEQUENCE_SECONDS = 1 << 22;
  private static final int SEQUENCE_MASK = 0xffff;

  /** Seconds in a unit of a lock in seconds. */
  private static final long SEQUENCE_UNIT = 512;

  private RelayPolicy() {}

  /** The reason to refuse a transaction that spends these coins, or null. */
  static @Nullable String objection(Tx tx, List<ChainCoin> spent, long fee, Chain chain) {
    String objection = form(tx);
    if (objection == null) {
      objection = outputs(tx);
    }
    if (objection == null && !isFinal(tx, spent, chain)) {
      objection = "non-final";
    }
    if (objection == null && fee < Mempool.leastFee(tx)) {
      objection = "min relay fee not met, " + fee + " < " + Mempool.leastFee(tx);
    }
    if (objection != null) {
      return objection;
    }
    return ScriptCheck.objection(
        tx, spent.stream().map(coin -> new Tx.Output(coin.value(), coin.script())).toList());
  }

  private static @Nullable String form(Tx tx) {
    if (tx.version() < 1 || tx.version() > MAX_VERSION) {
      return "version";
    }
    if (tx.weight() > MAX_WEIGHT) {
      return "tx-size";
    }
    if (tx.strippedSize() < MIN_SIZE) {
      return "tx-size-small";
    }
    for (Tx.Input input : tx.inputs()) {
      if (input.scriptSig().length() > MAX_SCRIPT_SIG) {
        return "scriptsig-size";
      }
      if (!isPushOnly(input.scriptSig())) {
        return "scriptsig-not-pushonly";
      }
    }
    return null;
  }

  private static boolean isPushOnly(Bytes script) {
    try {
      return Script.parse(script.toArray()).chunks().stream()
          .allMatch(chunk -> chunk.opcode <= 0x60);
    } catch (ScriptException e) {
      return false;
    }
  }

  private static @Nullable String outputs(Tx tx) {
    int data = 0;
    for (Tx.Output output : tx.outputs()) {
      byte[] script = output.script().toArray();
      if (script.length > 0 && script[0] == OP_RETURN) {
        data++;
        if (data > 1 || script.length > MAX_DATA_SCRIPT) {
          return data > 1 ? "multi-op-return" : "scriptpubkey";
        }
      } else if (!isStandard(script)) {
        return "scriptpubkey";
      } else if (output.value() < dust(script)) {
        return "dust";
      }
    }
    return null;
  }

  private static boolean isStandard(byte[] bytes) {
    if (ScriptCheck.isProgram(bytes)) {
      return true;
    }
    try {
      Script script = Script.parse(bytes);
      return ScriptPattern.isP2PKH(script)
          || ScriptPattern.isP2SH(script)
          || ScriptPattern.isP2PK(script);
    } catch (ScriptException e) {
      return false;
    }
  }

  private static long dust(byte[] script) {
    int input = ScriptCheck.isProgram(script) ? WITNESS_INPUT : LEGACY_INPUT;
    return DUST_RATE * (8 + 1 + script.length + input);
  }

  /** Whether the next block could hold it, by its lock time and its sequences. */
  private static boolean isFinal(Tx tx, List<ChainCoin> spent, Chain chain) {
    int height = chain.height() + 1;
    long lockTime = Integer.toUnsignedLong(tx.lockTime());
    long reached = lockTime < LOCK_TIME_THRESHOLD ? height : chain.medianTimePast();
    boolean locks = tx.inputs().stream().anyMatch(input -> input.sequence() != FINAL);
    if (locks && lockTime >= reached && lockTime != 0) {
      return false;
    }
    for (int i = 0; i < spent.size() && tx.version() >= 2; i++) {
      if (!isOldEnough(spent.get(i), tx.inputs().get(i).sequence(), chain)) {
        return false;
      }
    }
    return true;
  }

  /** Whether the next block could spend a coin by this sequence (BIP-0068). */
  private static boolean isOldEnough(ChainCoin coin, int sequence, Chain chain) {
    int age = sequence & SEQUENCE_MASK;
    if ((sequence & SEQUENCE_DISABLED) != 0) {
      return true;
    }
    if ((sequence & SEQUENCE_SECONDS) == 0) {
      return chain.height() + 1 - coin.height() >= age;
    }
    long since = chain.medianTimePast(coin.height() - 1);
    return chain.medianTimePast() - since >= age * SEQUENCE_UNIT;
  }
}
