package org.murmur.coins.internal.sign;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.Optional;
import java.util.Random;
import org.bitcoinj.base.ScriptType;
import org.bitcoinj.crypto.ECKey;
import org.junit.jupiter.api.Test;
import org.murmur.bip37.bytes.ByteWriter;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.DoubleSha256;
import org.murmur.coins.keys.KeyPath;

/** Keys computed from signatures, against bitcoinj's. */
final class RecoverableSignatureTest {

  private final long seed = System.nanoTime();
  private final Random random = new Random(seed);

  private static Bytes hash(String message) {
    Bytes magic = Bytes.wrap("Bitcoin Signed Message:\n".getBytes(StandardCharsets.US_ASCII));
    Bytes text = Bytes.wrap(message.getBytes(StandardCharsets.UTF_8));
    Bytes all = new ByteWriter().varBytes(magic).varBytes(text).toBytes();
    return Bytes.wrap(DoubleSha256.of(all).toInternal());
  }

  private byte[] secret() {
    byte[] secret = new byte[32];
    random.nextBytes(secret);
    secret[0] &= 0x7f;
    return secret;
  }

  @Test
  void keysOfTheirSignatures() {
    for (int i = 0; i < 50; i++) {
      for (boolean compressed : new boolean[] {true, false}) {
        ECKey key = ECKey.fromPrivate(secret(), compressed);
        String message = "message " + i;
        byte[] signature = Base64.getDecoder().decode(key.signMessage(message, ScriptType.P2PKH));
        assertThat(RecoverableSignature.publicKey(hash(message), Bytes.wrap(signature)))
            .as("seed %d", seed)
            .contains(Bytes.wrap(key.getPubKey()));
        assertThat(RecoverableSignature.publicKey(hash("other"), Bytes.wrap(signature)))
            .as("seed %d", seed)
            .isNotEqualTo(Optional.of(Bytes.wrap(key.getPubKey())));
      }
    }
  }

  @Test
  void theyComputeTheKeysOfOurs() throws Exception {
    for (int i = 0; i < 50; i++) {
      byte[] secret = secret();
      KeyPath path = new KeyPath(org.murmur.coins.keys.OutputType.P2PKH, 0, false, 0);
      Bytes script = SigningKey.of(secret).script(path.type());
      String message = "message " + i;
      Bytes ours =
          RecoverableSignature.sign(hash(message), script, path, any -> secret.clone())
              .orElseThrow();
      String text = Base64.getEncoder().encodeToString(ours.toArray());
      ECKey key = ECKey.fromPrivate(secret, true);
      assertThat(ECKey.signedMessageToKey(message, text).getPubKey())
          .as("seed %d", seed)
          .isEqualTo(key.getPubKey());
      assertThat(key.signMessage(message, ScriptType.P2PKH)).as("seed %d", seed).isEqualTo(text);
    }
  }

  @Test
  void whatIsNoSignatureHasNoKey() {
    byte[] zeros = new byte[RecoverableSignature.LENGTH];
    for (int header = 0; header < 256; header++) {
      zeros[0] = (byte) header;
      assertThat(RecoverableSignature.publicKey(hash("x"), Bytes.wrap(zeros))).isEmpty();
    }
    byte[] ones = new byte[RecoverableSignature.LENGTH];
    Arrays.fill(ones, (byte) 1);
    for (int header = 0; header < 256; header++) {
      ones[0] = (byte) header;
      if (header < 27 || header > 34) {
        assertThat(RecoverableSignature.publicKey(hash("x"), Bytes.wrap(ones))).isEmpty();
      }
    }
    // x of R above the field's prime: the order is added to a large R.
    byte[] large = new byte[RecoverableSignature.LENGTH];
    Arrays.fill(large, 1, 33, (byte) 0xfe);
    large[64] = 1;
    for (int header = 29; header <= 33; header += 4) {
      large[0] = (byte) header;
      assertThat(RecoverableSignature.publicKey(hash("x"), Bytes.wrap(large))).isEmpty();
    }
    assertThat(RecoverableSignature.publicKey(hash("x"), Bytes.EMPTY)).isEmpty();
    assertThat(RecoverableSignature.publicKey(hash("x"), Bytes.wrap(new byte[64]))).isEmpty();
  }
}
