package org.murmur.regtest.chain;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedList;
import java.util.List;
import org.bitcoinj.base.Sha256Hash;
import org.bitcoinj.core.Transaction;
import org.bitcoinj.core.TransactionWitness;
import org.bitcoinj.crypto.ECKey;
import org.bitcoinj.crypto.SignatureDecodeException;
import org.bitcoinj.crypto.TransactionSignature;
import org.bitcoinj.crypto.internal.CryptoUtils;
import org.bitcoinj.script.Script;
import org.bitcoinj.script.ScriptChunk;
import org.bitcoinj.script.ScriptException;
import org.bitcoinj.script.ScriptOpCodes;
import org.bitcoinj.script.ScriptPattern;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.tx.Tx;

/**
 * Checks whether a transaction may spend its inputs: scripts and signatures.
 *
 * <p>bitcoinj runs legacy scripts and hashes for ECDSA; witness programs of version 0 and taproot's
 * key path are checked here. It refuses what it cannot check: signatures inside a P2WSH script,
 * taproot's script path, and taproot's hash types other than the default.
 */
public final class ScriptCheck {

  private static final int COMPRESSED_KEY = 33;
  private static final int SCHNORR_SIGNATURE = 64;

  private final Tx tx;
  private final List<Tx.Output> spent;
  private final Transaction parsed;

  private ScriptCheck(Tx tx, List<Tx.Output> spent) {
    this.tx = tx;
    this.spent = spent;
    this.parsed = Transaction.read(ByteBuffer.wrap(tx.raw().toArray()));
  }

  /**
   * Checks the scripts of all inputs, given the outputs that they spend in their order. Returns the
   * fault of one of them, or null.
   */
  public static @Nullable String objection(Tx tx, List<Tx.Output> spent) {
    ScriptCheck check = new ScriptCheck(tx, spent);
    for (int i = 0; i < spent.size(); i++) {
      try {
        String objection = check.input(i);
        if (objection != null) {
          return "input " + i + ": " + objection;
        }
      } catch (ScriptException | SignatureDecodeException | IllegalArgumentException e) {
        return "input " + i + ": " + e.getMessage();
      }
    }
    return null;
  }

  private @Nullable String input(int index) throws SignatureDecodeException {
    byte[] script = spent.get(index).script().toArray();
    byte[] scriptSig = tx.inputs().get(index).scriptSig().toArray();
    if (isProgram(script)) {
      return scriptSig.length > 0 ? "witness program with a scriptSig" : program(index, script);
    }
    if (ScriptPattern.isP2SH(Script.parse(script))) {
      byte[] redeem = lastPush(scriptSig);
      if (isProgram(redeem)) {
        boolean exact = scriptSig.length == redeem.length + 1;
        boolean pays = Arrays.equals(hash160(redeem), Arrays.copyOfRange(script, 2, 22));
        return exact && pays ? program(index, redeem) : "not the nested program";
      }
    }
    if (witness(index).getPushCount() > 0) {
      return "witness of a legacy input";
    }
    legacy(index, script, scriptSig);
    return null;
  }

  private void legacy(int index, byte[] script, byte[] scriptSig) {
    Script pubKey = Script.parse(script);
    // bitcoinj's short cut for this type does not check that the key is the right one.
    if (ScriptPattern.isP2PKH(pubKey)
        && !Arrays.equals(
            hash160(lastPush(scriptSig)), ScriptPattern.extractHashFromP2PKH(pubKey))) {
      throw new IllegalArgumentException("another key");
    }
    Script.parse(scriptSig)
        .correctlySpends(
            parsed,
            index,
            null,
            org.bitcoinj.base.Coin.valueOf(spent.get(index).value()),
            pubKey,
            Script.ALL_VERIFY_FLAGS);
  }

  /**
   * Recognises a witness program as scriptPubKey: OP_0 to OP_16 and one push of 2 to 40 bytes
   * (BIP-0141).
   */
  public static boolean isProgram(byte[] script) {
    boolean version =
        script.length > 0
            && (script[0] == 0
                || (script[0] >= ScriptOpCodes.OP_1 && script[0] <= ScriptOpCodes.OP_16));
    return version && script.length >= 4 && script.length <= 42 && script[1] == script.length - 2;
  }

  private static byte[] lastPush(byte[] scriptSig) {
    List<ScriptChunk> chunks = Script.parse(scriptSig).chunks();
    byte[] data = chunks.isEmpty() ? null : chunks.get(chunks.size() - 1).data;
    return data == null ? new byte[0] : data;
  }

  private TransactionWitness witness(int index) {
    return parsed.getInput(index).getWitness();
  }

  private @Nullable String program(int index, byte[] script) throws SignatureDecodeException {
    byte[] program = Arrays.copyOfRange(script, 2, script.length);
    List<byte[]> items = new ArrayList<>();
    for (int i = 0; i < witness(index).getPushCount(); i++) {
      items.add(witness(index).getPush(i));
    }
    if (items.isEmpty()) {
      return "no witness";
    }
    if (script[0] == 0 && program.length == 20) {
      return keyHash(index, program, items);
    }
    if (script[0] == 0 && program.length == 32) {
      return scriptHash(program, items);
    }
    if (script[0] == ScriptOpCodes.OP_1 && program.length == 32) {
      return taproot(index, program, items);
    }
    return "a witness program of no meaning yet";
  }

  private @Nullable String keyHash(int index, byte[] program, List<byte[]> items)
      throws SignatureDecodeException {
    if (items.size() != 2 || items.get(1).length != COMPRESSED_KEY) {
      return "not a signature and a compressed key";
    }
    if (!Arrays.equals(hash160(items.get(1)), program)) {
      return "another key";
    }
    TransactionSignature signature =
        TransactionSignature.decodeFromBitcoin(items.get(0), true, true);
    byte[] code = OutputScripts.payToPubKeyHash(Bytes.of(program)).toArray();
    Sha256Hash hash =
        parsed.hashForWitnessSignature(
            index,
            code,
            org.bitcoinj.base.Coin.valueOf(spent.get(index).value()),
            (byte) signature.sighashFlags);
    return ECKey.fromPublicOnly(items.get(1)).verify(hash, signature) ? null : "wrong signature";
  }

  // bitcoinj wants a LinkedList.
  @SuppressWarnings("JdkObsolete")
  private static @Nullable String scriptHash(byte[] program, List<byte[]> items) {
    byte[] script = items.remove(items.size() - 1);
    if (!Arrays.equals(OutputScripts.sha256(Bytes.of(script)).toArray(), program)) {
      return "another witness script";
    }
    Script parsed = Script.parse(script);
    for (ScriptChunk chunk : parsed.chunks()) {
      if (chunk.opcode >= ScriptOpCodes.OP_CODESEPARATOR
          && chunk.opcode <= ScriptOpCodes.OP_CHECKMULTISIGVERIFY) {
        return "signatures inside a witness script are not verified here";
      }
    }
    LinkedList<byte[]> stack = new LinkedList<>(items);
    Script.executeScript(null, 0, parsed, stack, Script.ALL_VERIFY_FLAGS);
    boolean satisfied = stack.size() == 1 && isTrue(stack.getLast());
    return satisfied ? null : "not satisfied, or more on the stack than that";
  }

  private static boolean isTrue(byte[] value) {
    for (int i = 0; i < value.length; i++) {
      if (value[i] != 0) {
        // Minus zero is false.
        return i < value.length - 1 || (value[i] & 0xff) != 0x80;
      }
    }
    return false;
  }

  private @Nullable String taproot(int index, byte[] program, List<byte[]> items) {
    if (items.size() != 1 || items.get(0).length != SCHNORR_SIGNATURE) {
      return "only the key path of taproot is verified here, with the default hash type";
    }
    byte[] message = KeySigner.taprootHash(tx, index, spent);
    return Schnorr.verify(program, message, items.get(0)) ? null : "wrong signature";
  }

  private static byte[] hash160(byte[] bytes) {
    return CryptoUtils.sha256hash160(bytes);
  }
}
