package org.murmur.lab.privacy.clients;

import org.murmur.bip37.bytes.Bytes;
import org.murmur.lab.privacy.chain.Elements;
import org.murmur.lab.privacy.chain.OwnWallet;
import org.murmur.lab.privacy.chain.SyntheticChain;
import org.murmur.regtest.chain.Dice;

/** The bytes that filters hold of a wallet under test: its keys, used or not, and its coins. */
public interface Keyring {

  /** The hash in the output of a key's script. */
  Bytes script(boolean change, int index);

  Bytes publicKey(boolean change, int index);

  Bytes outPoint(int coin);

  default Bytes script(OwnWallet.Key key) {
    return script(key.change(), key.index());
  }

  default Bytes publicKey(OwnWallet.Key key) {
    return publicKey(key.change(), key.index());
  }

  /** Public keys without private keys: bytes that follow from a seed. Sufficient for models. */
  record Drawn(SyntheticChain chain, long seed) implements Keyring {

    @Override
    public Bytes script(boolean change, int index) {
      return dice(change, index).bytes(20);
    }

    @Override
    public Bytes publicKey(boolean change, int index) {
      byte[] key = dice(change, ~index).bytes(33).toArray();
      key[0] = (byte) (2 + (key[0] & 1));
      return Bytes.wrap(key);
    }

    @Override
    public Bytes outPoint(int coin) {
      byte[] out = new byte[Elements.MAX_BYTES];
      return Bytes.of(out, 0, new Elements(chain).outPoint(coin, out));
    }

    private Dice dice(boolean change, int index) {
      return new Dice(Elements.mix(seed + (change ? 1 : 0)) ^ Elements.mix(index));
    }
  }
}
