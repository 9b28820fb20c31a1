package org.murmur.bip37.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.murmur.bip37.bytes.Bytes;

/** Test cases 1 and 6 of RFC 4231: a short key, and one that is longer than a block. */
class HmacTest {

  private static final byte[] SHORT = key(20, 0x0b);
  private static final byte[] LONG = key(131, 0xaa);
  private static final byte[] HI = "Hi There".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] HASHED =
      "Test Using Larger Than Block-Size Key - Hash Key First".getBytes(StandardCharsets.US_ASCII);

  private static byte[] key(int length, int value) {
    byte[] key = new byte[length];
    Arrays.fill(key, (byte) value);
    return key;
  }

  @Test
  void sha256() {
    assertThat(Bytes.wrap(Hmac.sha256(SHORT).mac(HI)))
        .hasToString("b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7");
    assertThat(Bytes.wrap(Hmac.sha256(LONG).mac(HASHED)))
        .hasToString("60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54");
  }

  @Test
  void sha512() {
    assertThat(Bytes.wrap(Hmac.sha512(SHORT).mac(HI)))
        .hasToString(
            "87aa7cdea5ef619d4ff0b4241a1d6cb02379f4e2ce4ec2787ad0b30545e17cde"
                + "daa833b7d6b8a702038b274eaea3f4e4be9d914eeb61f1702e696c203a126854");
    assertThat(Bytes.wrap(Hmac.sha512(LONG).mac(HASHED)))
        .hasToString(
            "80b24263c7c1a3ebb71493c1dd7be8b49b46d1f41b4aeec1121b013783f8f352"
                + "6b56d037e05f2598bd0fd2215d6a1e5295e64f73f63f0aec8b915a985d786598");
  }

  @Test
  void itIsUsedAgainAndAgain() {
    Hmac hmac = Hmac.sha256(SHORT);
    assertThat(hmac.mac(HI)).isEqualTo(hmac.mac(HI));
  }
}
