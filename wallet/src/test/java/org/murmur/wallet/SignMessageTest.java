package org.murmur.wallet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.murmur.coins.keys.Address;
import org.murmur.coins.keys.AddressException;
import org.murmur.coins.keys.OutputType;
import org.murmur.coins.message.MessageException;
import org.murmur.coins.message.MessageFormat;
import org.murmur.coins.message.MessageSignature;
import org.murmur.coins.message.MessageVerdict.Valid;
import org.murmur.coins.message.MessageVerifier;
import org.murmur.wallet.failure.WalletException;
import org.murmur.wallet.failure.WalletException.Kind;

/** A wallet signs messages with the keys of its addresses. */
final class SignMessageTest {

  @TempDir Path folder = Path.of("");

  private SpvWallet wallet(OutputType type) {
    return SpvWallet.create(folder.resolve(type.name()), Lives.recipe(type));
  }

  @ParameterizedTest
  @EnumSource
  void signsWithEveryAddressAndWritesNothing(OutputType type) throws Exception {
    try (SpvWallet wallet = wallet(type)) {
      byte[] before = Files.readAllBytes(folder.resolve(type.name()));
      String change = wallet.receive().forChange().current().address();
      for (String address : new String[] {wallet.receive().current().address(), change}) {
        MessageSignature signature =
            wallet.keys().signMessage(Address.parse(address), "x", Credentials.NONE);
        assertThat(MessageVerifier.of(Address.parse(address), "x").verify(signature.text()))
            .isEqualTo(new Valid(MessageFormat.usual(type), 0, 0));
        MessageSignature full =
            wallet
                .keys()
                .signMessage(Address.parse(address), "x", MessageFormat.FULL, Credentials.NONE);
        assertThat(MessageVerifier.of(Address.parse(address), "x").verify(full.text()))
            .isEqualTo(new Valid(MessageFormat.FULL, 0, 0));
      }
      assertThat(Files.readAllBytes(folder.resolve(type.name()))).isEqualTo(before);
    }
  }

  @Test
  void refusesWhatItCannotSign() throws Exception {
    try (SpvWallet wallet = wallet(OutputType.P2SH_P2WPKH);
        SpvWallet other = wallet(OutputType.P2WPKH)) {
      String address = wallet.receive().current().address();
      WalletException foreign =
          catchThrowableOfType(
              WalletException.class,
              () ->
                  wallet
                      .keys()
                      .signMessage(
                          Address.parse(other.receive().current().address()),
                          "x",
                          Credentials.NONE));
      assertThat(foreign.kind()).isEqualTo(Kind.NOT_FOUND);
      assertThatThrownBy(
              () -> wallet.keys().signMessage(Address.parse(address + "x"), "x", Credentials.NONE))
          .isInstanceOf(AddressException.class);
      assertThatThrownBy(
              () ->
                  wallet
                      .keys()
                      .signMessage(
                          Address.parse(address), "x", Credentials.NONE.withPassphrase("another")))
          .isInstanceOf(WalletException.class)
          .hasMessageContaining("passphrase");
      assertThatThrownBy(
              () ->
                  wallet
                      .keys()
                      .signMessage(
                          Address.parse(address), "x", MessageFormat.SIMPLE, Credentials.NONE))
          .isInstanceOf(MessageException.class)
          .hasMessageContaining("format full");
    }
  }
}
