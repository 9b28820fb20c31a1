package org.murmur.regtest.chain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.InputStream;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import org.bitcoinj.base.BitcoinNetwork;
import org.bitcoinj.base.Coin;
import org.bitcoinj.core.Transaction;
import org.bitcoinj.crypto.DeterministicKey;
import org.bitcoinj.crypto.ECKey;
import org.bitcoinj.script.Script;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.bytes.OutPoint;
import org.murmur.bip37.tx.Tx;
import org.murmur.regtest.FilterSemanticsContract;
import org.murmur.regtest.Wallets;

/** What bitcoinj can verify; nested witnesses and taproot are verified by a real node's tests. */
class KeySignerTest {

  @ParameterizedTest
  @EnumSource(names = {"P2PKH", "P2WPKH"})
  void signsAsBitcoinjVerifies(FilterSemanticsContract.ScriptType type) {
    List<ECKey> keys = Wallets.keys(5, 3);
    List<Tx.Output> spent =
        keys.stream().map(key -> new Tx.Output(70_000, type.script(key))).toList();
    TxBuilder builder = new TxBuilder();
    for (int i = 0; i < 3; i++) {
      builder.spend(new OutPoint(Hash256.ofInternal(new byte[32]), i));
    }
    Tx unsigned = builder.pay(150_000, spent.get(0).script()).pay(9, Bytes.EMPTY).build();
    Tx signed = KeySigner.of(keys).sign(unsigned, spent);
    Transaction theirs = Transaction.read(ByteBuffer.wrap(signed.raw().toArray()));
    for (int i = 0; i < 3; i++) {
      theirs
          .getInput(i)
          .getScriptSig()
          .correctlySpends(
              theirs,
              i,
              theirs.getInput(i).getWitness(),
              Coin.valueOf(70_000),
              Script.parse(spent.get(i).script().toArray()),
              EnumSet.of(
                  Script.VerifyFlag.P2SH, Script.VerifyFlag.DERSIG, Script.VerifyFlag.LOW_S));
    }
  }

  @Test
  void refusesScriptsOfOthers() {
    Tx unsigned = new TxBuilder().spend(new OutPoint(Hash256.ZERO, 0)).pay(1, Bytes.EMPTY).build();
    assertThatThrownBy(
            () ->
                KeySigner.of(Wallets.keys(1, 1))
                    .sign(unsigned, List.of(new Tx.Output(5, OutputScripts.data(Bytes.EMPTY)))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("no key");
  }

  @Test
  void tweaksKeysAsBip0086Does() throws Exception {
    try (InputStream in =
        Objects.requireNonNull(
            KeySignerTest.class.getResourceAsStream("/vectors/bip86/bip86.json"))) {
      JsonNode addresses = new ObjectMapper().readTree(in).path("addresses");
      assertThat(addresses).hasSize(3);
      for (JsonNode address : addresses) {
        DeterministicKey key =
            DeterministicKey.deserializeB58(address.path("xprv").asText(), BitcoinNetwork.MAINNET);
        assertThat(KeySigner.payToTaproot(key).toHex())
            .isEqualTo(address.path("script_pubkey").asText());
      }
    }
  }

  /** Vector 0 of BIP-0340's test-vectors.csv: key 3, message and auxiliary data zero. */
  @Test
  void signsAsBip0340Does() {
    BigInteger secret = BigInteger.valueOf(3);
    assertThat(Schnorr.publicKey(secret).toHex())
        .isEqualTo("f9308a019258c31049344f85f89d5229b531c845836f99b08601f113bce036f9");
    assertThat(Schnorr.sign(secret, new byte[32]).toHex())
        .isEqualTo(
            "e907831f80848d1069a5371b402410364bdf1c5f8307b0084c55f1ce2dca8215"
                + "25f66a4a85ea8b71e482a74f382d2ce5ebeee8fdb2172f477df4900d310536c0");
  }
}
