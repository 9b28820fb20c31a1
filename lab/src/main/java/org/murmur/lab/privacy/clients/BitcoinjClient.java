package org.murmur.lab.privacy.clients;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.math.BigInteger;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.bitcoinj.base.BitcoinNetwork;
import org.bitcoinj.base.Coin;
import org.bitcoinj.base.ScriptType;
import org.bitcoinj.base.Sha256Hash;
import org.bitcoinj.core.AbstractBlockChain.NewBlockType;
import org.bitcoinj.core.Context;
import org.bitcoinj.core.NetworkParameters;
import org.bitcoinj.core.StoredBlock;
import org.bitcoinj.core.Transaction;
import org.bitcoinj.core.TransactionInput;
import org.bitcoinj.core.TransactionOutPoint;
import org.bitcoinj.core.VerificationException;
import org.bitcoinj.crypto.DeterministicKey;
import org.bitcoinj.crypto.HDKeyDerivation;
import org.bitcoinj.script.Script;
import org.bitcoinj.script.ScriptBuilder;
import org.bitcoinj.wallet.DeterministicSeed;
import org.bitcoinj.wallet.UnreadableWalletException;
import org.bitcoinj.wallet.Wallet;
import org.bitcoinj.wallet.WalletProtobufSerializer;
import org.murmur.bip37.BloomFilter;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.lab.privacy.chain.Elements;
import org.murmur.lab.privacy.chain.OwnWallet;
import org.murmur.lab.privacy.chain.SyntheticChain;
import org.murmur.regtest.chain.Dice;

/**
 * The released bitcoinj 0.17.1: its own Wallet receives the wallet's transactions and makes its own
 * BloomFilter, with its defaults.
 *
 * <p>Sizes are those of its FilterMerger (elements + 100, never less than before in one process).
 * The FilterMerger itself is not called because it draws its tweak from {@link Math#random}; here
 * tweaks follow from the seed. A test compares this with the FilterMerger, byte for byte.
 */
public final class BitcoinjClient implements Client {

  /** PeerGroup's default rate: it makes its FilterMerger with it. */
  public static final double RATE = 0.00001;

  /** PeerGroup's default number of connections; all of them receive the filter. */
  private static final int CONNECTIONS = 12;

  private final SyntheticChain chain;
  private final Map<Integer, Known> known = new HashMap<>();

  /**
   * Makes all wallets under test, at some heights. This takes a second or two, and all trials share
   * them.
   */
  public static BitcoinjClient of(
      SyntheticChain chain, List<OwnWallet> wallets, List<Integer> heights) {
    Context.propagate(new Context());
    BitcoinjClient client = new BitcoinjClient(chain);
    for (OwnWallet wallet : wallets) {
      client.known.put(wallet.user(), new Known(chain, wallet, new TreeSet<>(heights)));
    }
    return client;
  }

  private BitcoinjClient(SyntheticChain chain) {
    this.chain = chain;
  }

  @Override
  public String name() {
    return "bitcoinj";
  }

  @Override
  public int peers() {
    return CONNECTIONS;
  }

  @Override
  public Set<Second> seconds() {
    return Set.of(Second.PUBLIC_KEY, Second.COINS);
  }

  @Override
  public boolean keepsPeers() {
    return false;
  }

  @Override
  public Life begin(SyntheticChain ofTrial, OwnWallet wallet, Dice dice) {
    if (ofTrial != chain) {
      throw new IllegalArgumentException("another chain than its wallets were made for");
    }
    Known wallets = known.get(wallet.user());
    if (wallets == null) {
      throw new IllegalArgumentException("no bitcoinj wallet of user " + wallet.user());
    }
    return new Running(wallets, dice);
  }

  /** A wallet as bitcoinj holds it at some heights, and the bytes of its keys and coins. */
  public static final class Known implements Keyring {

    private static final NetworkParameters PARAMS = NetworkParameters.of(BitcoinNetwork.REGTEST);

    private final SyntheticChain chain;
    private final OwnWallet own;
    private final Map<Integer, Wallet> at = new HashMap<>();
    private final Map<Integer, Integer> keyOfScript = new HashMap<>();
    private final Map<Integer, Transaction> transactions = new HashMap<>();
    private final DeterministicKey[] chains = new DeterministicKey[2];
    private final Map<Integer, DeterministicKey> leaves = new HashMap<>();

    Known(SyntheticChain chain, OwnWallet own, Set<Integer> heights) {
      this.chain = chain;
      this.own = own;
      byte[] entropy = new Dice(Elements.mix(chain.plan().seed() + own.user())).bytes(16).toArray();
      DeterministicSeed seed =
          DeterministicSeed.ofEntropy(entropy, "", Instant.ofEpochSecond(1_700_000_000));
      Wallet wallet = Wallet.fromSeed(BitcoinNetwork.REGTEST, seed, ScriptType.P2WPKH);
      // Derives the look-ahead keys, as PeerGroup does for a new wallet.
      wallet.getBloomFilterElementCount();
      DeterministicKey account = wallet.getActiveKeyChain().getWatchingKey();
      chains[0] = HDKeyDerivation.deriveChildKey(account, 0);
      chains[1] = HDKeyDerivation.deriveChildKey(account, 1);
      for (int i = 0; i < own.keys().size(); i++) {
        keyOfScript.put(own.keys().get(i).script(), i);
      }
      List<Integer> txs = List.copyOf(WalletState.at(chain, own, chain.height()).transactions());
      int done = 0;
      for (int height : heights) {
        int next = chain.firstTx(height + 1);
        while (done < txs.size() && txs.get(done) < next) {
          receive(wallet, txs.get(done++));
        }
        at.put(height, copy(wallet));
      }
    }

    private void receive(Wallet wallet, int tx) {
      Transaction made = new Transaction();
      for (int input = chain.firstInput(tx); input < chain.firstInput(tx + 1); input++) {
        int coin = chain.spent(input);
        TransactionOutPoint outPoint =
            keyOfScript.containsKey(chain.scriptOf(coin))
                ? new TransactionOutPoint(
                    coin - chain.firstCoin(chain.txOf(coin)),
                    transactionOf(chain.txOf(coin)).getTxId())
                : new TransactionOutPoint(0, hash(coin));
        made.addInput(new TransactionInput(made, new byte[0], outPoint));
      }
      for (int coin = chain.firstCoin(tx); coin < chain.firstCoin(tx + 1); coin++) {
        made.addOutput(Coin.valueOf(100_000), outputScript(coin));
      }
      transactions.put(tx, made);
      try {
        if (!wallet.isTransactionRelevant(made)) {
          throw new IllegalStateException("bitcoinj does not know its own transaction " + tx);
        }
        StoredBlock block =
            new StoredBlock(PARAMS.getGenesisBlock(), BigInteger.ONE, chain.heightOf(tx));
        wallet.receiveFromBlock(made, block, NewBlockType.BEST_CHAIN, tx);
      } catch (VerificationException e) {
        throw new IllegalStateException("bitcoinj refused transaction " + tx, e);
      }
    }

    private Script outputScript(int coin) {
      Integer key = keyOfScript.get(chain.scriptOf(coin));
      byte[] hash =
          key == null
              ? new Dice(~coin).bytes(20).toArray()
              : leaf(own.keys().get(key).change(), own.keys().get(key).index()).getPubKeyHash();
      return ScriptBuilder.createP2WPKHOutputScript(hash);
    }

    private Transaction transactionOf(int tx) {
      Transaction made = transactions.get(tx);
      if (made == null) {
        throw new IllegalStateException("transaction " + tx + " has not been made yet");
      }
      return made;
    }

    private static Sha256Hash hash(int coin) {
      return Sha256Hash.wrap(new Dice(coin).bytes(32).toArray());
    }

    private DeterministicKey leaf(boolean change, int index) {
      return leaves.computeIfAbsent(
          change ? ~index : index,
          i -> HDKeyDerivation.deriveChildKey(chains[change ? 1 : 0], index));
    }

    private static Wallet copy(Wallet wallet) {
      try {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        new WalletProtobufSerializer().writeWallet(wallet, out);
        return new WalletProtobufSerializer()
            .readWallet(new ByteArrayInputStream(out.toByteArray()));
      } catch (IOException | UnreadableWalletException e) {
        throw new IllegalStateException("bitcoinj cannot read its own wallet", e);
      }
    }

    public Wallet wallet(int height) {
      Wallet wallet = at.get(height);
      if (wallet == null) {
        throw new IllegalArgumentException("no bitcoinj wallet at height " + height);
      }
      return wallet;
    }

    @Override
    public synchronized Bytes script(boolean change, int index) {
      return Bytes.of(leaf(change, index).getPubKeyHash());
    }

    @Override
    public synchronized Bytes publicKey(boolean change, int index) {
      return Bytes.of(leaf(change, index).getPubKey());
    }

    @Override
    public Bytes outPoint(int coin) {
      int tx = chain.txOf(coin);
      return Bytes.of(
          new TransactionOutPoint(coin - chain.firstCoin(tx), transactionOf(tx).getTxId())
              .serialize());
    }
  }

  /** A process with its FilterMerger. */
  public static final class Running implements Life {

    private final Known wallets;
    private final Dice dice;
    private int tweak;
    private int lastElements;

    Running(Known wallets, Dice dice) {
      this.wallets = wallets;
      this.dice = dice;
    }

    @Override
    public Keyring keys() {
      return wallets;
    }

    @Override
    public List<Shown> start(WalletState state) {
      tweak = (int) dice.number();
      lastElements = 0;
      return grow(state);
    }

    public BloomFilter startWith(int drawn, WalletState state) {
      tweak = drawn;
      lastElements = 0;
      return grow(state).get(0).filter();
    }

    @Override
    public List<Shown> grow(WalletState state) {
      Wallet wallet = wallets.wallet(state.height());
      BloomFilter filter = BloomFilter.fromPayload(Bytes.of(made(wallet).serialize()));
      List<Shown> shown = new ArrayList<>();
      for (int peer = 0; peer < CONNECTIONS; peer++) {
        shown.add(new Shown(peer, Content.BOTH, filter));
      }
      return shown;
    }

    /** Makes a filter as FilterMerger does for one wallet; it ignores the wallet's own flag. */
    private org.bitcoinj.core.BloomFilter made(Wallet wallet) {
      // A thread holds bitcoinj's locks from begin to end, and several trials share one wallet.
      synchronized (wallet) {
        wallet.beginBloomFilterCalculation();
        try {
          int elements = wallet.getBloomFilterElementCount();
          lastElements = elements > lastElements ? elements + 100 : lastElements;
          org.bitcoinj.core.BloomFilter all =
              new org.bitcoinj.core.BloomFilter(
                  lastElements, RATE, tweak, org.bitcoinj.core.BloomFilter.BloomUpdate.UPDATE_ALL);
          all.merge(wallet.getBloomFilter(lastElements, RATE, tweak));
          return all;
        } finally {
          wallet.endBloomFilterCalculation();
        }
      }
    }
  }
}
