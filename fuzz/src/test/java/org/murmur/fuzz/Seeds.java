package org.murmur.fuzz;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.murmur.bip37.BloomFilter;
import org.murmur.bip37.FilterParameters;
import org.murmur.bip37.UpdateFlag;
import org.murmur.bip37.bytes.ByteWriter;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.bytes.Hex;
import org.murmur.bip37.merkle.FullBlock;
import org.murmur.bip37.merkle.MerkleBlock;
import org.murmur.bip37.merkle.MerkleTree;
import org.murmur.coins.keys.Mnemonic;
import org.murmur.coins.keys.OutputType;
import org.murmur.p2p.chain.ChainParams;
import org.murmur.p2p.internal.wire.FrameEncoder;
import org.murmur.p2p.internal.wire.Headers;
import org.murmur.p2p.internal.wire.InventoryItem;
import org.murmur.p2p.internal.wire.Message;
import org.murmur.regtest.BuiltChain;
import org.murmur.regtest.ChainBuilder;
import org.murmur.regtest.RegtestNode;
import org.murmur.regtest.WalletPlan;
import org.murmur.wallet.SpvWallet;
import org.murmur.wallet.WalletRecipe;
import org.murmur.wallet.sync.SyncListener;
import org.murmur.wallet.sync.SyncOptions;

/**
 * Writes the inputs that fuzzing begins from, out of the vectors of the other modules and out of
 * valid messages: {@code tools/fuzz --seeds}. Inputs that were found stay as they are.
 */
public final class Seeds {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Path RESOURCES = Path.of("src/test/resources");

  private Seeds() {}

  public static void main(String[] args) throws Exception {
    messages();
    proofs();
    blockFilters();
    headers();
    texts();
    sequences();
    if (!Files.exists(RESOURCES.resolve("wallet.murmur"))) {
      wallet();
    }
    patches("WalletFiles");
    patches("WalletSyncs");
  }

  private static void write(String target, String name, byte[] input) throws IOException {
    Path folder = Files.createDirectories(RESOURCES.resolve("corpus").resolve(target));
    Files.write(folder.resolve(name), input);
  }

  private static byte[] behind(int first, byte[] rest) {
    byte[] all = new byte[rest.length + 1];
    all[0] = (byte) first;
    System.arraycopy(rest, 0, all, 1, rest.length);
    return all;
  }

  private static byte[] behind(int first, String rest) {
    return behind(first, rest.getBytes(StandardCharsets.UTF_8));
  }

  /** Lives of honest peers in each setting, and some in which much goes wrong. */
  private static void sequences() throws IOException {
    for (int kind = 0; kind < 64; kind += 7) {
      write("SyncSequences", "honest-" + kind, new byte[] {(byte) kind});
    }
    for (int kind = 0; kind < 64; kind += 3) {
      SplittableRandom random = new SplittableRandom(kind);
      byte[] input = new byte[600];
      input[0] = (byte) kind;
      for (int i = 1; i < input.length; i++) {
        input[i] = (byte) (random.nextInt(3) > 0 ? 0 : random.nextInt(32));
      }
      write("SyncSequences", "mutated-" + kind, input);
    }
  }

  /** A transaction with witness data, made by hand: one input, two outputs. */
  private static byte[] witnessTx() {
    return Hex.parse(
        "02000000000101"
            + "aa".repeat(32)
            + "00000000"
            + "00"
            + "fdffffff"
            + "02"
            + "e803000000000000"
            + "160014"
            + "bb".repeat(20)
            + "d007000000000000"
            + "1976a914"
            + "cc".repeat(20)
            + "88ac"
            + "02"
            + "03010203"
            + "21"
            + "02".repeat(33)
            + "00000000");
  }

  private static byte[] plainTx() {
    return Hex.parse(
        "01000000"
            + "02"
            + ("dd".repeat(32) + "01000000" + "03510102" + "ffffffff").repeat(2)
            + "01"
            + "e803000000000000"
            + "232103"
            + "ee".repeat(32)
            + "ac"
            + "10000000");
  }

  private static void messages() throws IOException {
    write("Transactions", "witness", witnessTx());
    write("Transactions", "plain", plainTx());
    Hash256 hash = ChainParams.REGTEST.genesisHash();
    Headers genesis = Headers.ofStored(ChainParams.REGTEST.genesisHeader());
    List<InventoryItem> items = List.of(new InventoryItem(3, hash), new InventoryItem(1, hash));
    BloomFilter filter =
        BloomFilter.builder(new FilterParameters(20, 7, 99, UpdateFlag.ALL))
            .add(Bytes.ofHex("aa".repeat(20)))
            .build();
    List<Message> all = new ArrayList<>();
    all.add(new Message.Version(70016, 1033, 1_700_000_000L, 7, "/Satoshi:29.0.0/", 100, true));
    all.add(new Message.Ping(77));
    all.add(new Message.Pong(77));
    all.add(new Message.SendCmpct(false, 2));
    all.add(new Message.FeeFilter(1000));
    all.add(new Message.GetHeaders(List.of(hash), Hash256.ZERO));
    all.add(new Message.GetBlocks(List.of(hash, hash), hash));
    all.add(new Message.HeadersMessage(genesis));
    all.add(new Message.Inv(items));
    all.add(new Message.GetData(items));
    all.add(new Message.NotFound(items));
    all.add(new Message.FilterLoad(filter));
    all.add(new Message.FilterAdd(Bytes.ofHex("bb".repeat(36))));
    all.add(new Message.Reject("tx", 0x40, "dust", Bytes.ofHex("aa".repeat(32))));
    all.add(new Message.GetCFilters(0, 100, hash));
    // The basic filter of testnet3's genesis block (BIP-0158).
    all.add(new Message.CFilter(0, hash, Bytes.ofHex("019dfca8")));
    all.add(new Message.GetCFHeaders(0, 100, hash));
    all.add(new Message.CFHeaders(0, hash, Hash256.ZERO, List.of(hash, hash)));
    all.add(new Message.GetCFCheckpt(0, hash));
    all.add(new Message.CFCheckpt(0, hash, List.of(hash)));
    ByteArrayOutputStream stream = new ByteArrayOutputStream();
    for (Message message : all) {
      byte[] frame = FrameEncoder.encode(Frames.MAGIC, message);
      stream.write(frame);
      String command = new String(frame, 4, 12, StandardCharsets.US_ASCII).trim();
      message(command, command, java.util.Arrays.copyOfRange(frame, 24, frame.length));
    }
    for (String empty : List.of("verack", "sendheaders", "wtxidrelay", "mempool", "getaddr")) {
      message(empty, empty, new byte[0]);
      stream.write(Frames.frame(empty, new byte[0]));
    }
    message("tx", "tx-witness", witnessTx());
    message("tx", "tx-plain", plainTx());
    message(
        "block",
        "block",
        Hex.parse(ChainParams.REGTEST.genesisHeader().toHex() + "01" + Hex.format(plainTx())));
    message(
        "addr",
        "addr",
        Hex.parse(
            "01"
                + "00e1f565"
                + "0904000000000000"
                + "00".repeat(10)
                + "ffff"
                + "7f000001"
                + "208d"));
    // One of each kind of BIP-0155: IPv4, IPv6, Tor v3, I2P, CJDNS.
    message(
        "addrv2",
        "addrv2",
        Hex.parse(
            "05"
                + "00e1f565"
                + "09"
                + "01"
                + "04"
                + "7f000001"
                + "208d"
                + "00e1f565"
                + "09"
                + "02"
                + "10"
                + "20".repeat(16)
                + "208d"
                + "00e1f565"
                + "fd0904"
                + "04"
                + "20"
                + "ab".repeat(32)
                + "208d"
                + "00e1f565"
                + "01"
                + "05"
                + "20"
                + "cd".repeat(32)
                + "0000"
                + "00e1f565"
                + "01"
                + "06"
                + "10"
                + "fc"
                + "00".repeat(15)
                + "208d"));
    message("unheardof", "unheardof", new byte[] {1, 2, 3});
    write("Frames", "conversation", behind(0, stream.toByteArray()));
    write("Packets", "answer-in-the-clear", behind(0, stream.toByteArray()));
    write("Packets", "caller-in-the-clear", behind(1, stream.toByteArray()));
    write("Packets", "answer-of-garbage", behind(0, new byte[64 + 4095 + 16 + 1]));
    write("Packets", "caller-of-garbage", behind(1, new byte[64 + 4095 + 16 + 1]));
    write("Packets", "damaged-tag", behind(2, Hex.parse("00".repeat(60) + "01")));
    write("Packets", "damaged-length", behind(2, Hex.parse("000080")));
    write("Packets", "ping", behind(3, Hex.parse("12" + "0102030405060708")));
    write("Packets", "verack", behind(3, Hex.parse("00" + "76657261636b" + "00".repeat(6))));
    write(
        "Frames",
        "broken-checksum",
        behind(
            1,
            Hex.parse(
                "fabfb5da"
                    + "70696e670000000000000000"
                    + "08000000"
                    + "00000000"
                    + "00".repeat(8))));
    write(
        "Frames",
        "promised-32-megabytes",
        behind(
            1,
            Hex.parse(
                "fabfb5da"
                    + "626c6f636b00000000000000"
                    + "00000002"
                    + "00000000"
                    + "00".repeat(80))));
  }

  private static void message(String command, String name, byte[] payload) throws IOException {
    write("Messages", name, behind(Messages.COMMANDS.indexOf(command), payload));
  }

  private static void proofs() throws IOException {
    JsonNode vectors =
        JSON.readTree(
            Path.of("../bip37/src/test/resources/vectors/merkleblocks/merkleblocks.json").toFile());
    for (JsonNode one : vectors.get("cases")) {
      JsonNode payload = one.has("payload") ? one.get("payload") : one.get("merkleblock");
      if (payload != null && payload.asText().length() < 6_000) {
        byte[] bytes = Hex.parse(payload.asText());
        write("MerkleBlocks", "mainnet-" + one.get("name").asText(), behind(1, bytes));
        message("merkleblock", "merkleblock-" + one.get("name").asText(), bytes);
      }
    }
    SplittableRandom random = new SplittableRandom(3);
    for (int transactions : new int[] {1, 2, 3, 7, 12}) {
      List<Hash256> txids = new ArrayList<>();
      java.util.BitSet matches = new java.util.BitSet();
      for (int i = 0; i < transactions; i++) {
        byte[] txid = new byte[32];
        random.nextBytes(txid);
        txids.add(Hash256.ofInternal(txid));
        matches.set(i, random.nextInt(3) == 0);
      }
      MerkleTree tree = MerkleTree.of(txids);
      byte[] header = new byte[80];
      tree.root().write(header, 36);
      MerkleBlock block = MerkleBlock.of(Bytes.of(header), tree.prove(matches));
      write("MerkleBlocks", "built-" + transactions, behind(0, block.toPayload().toArray()));
    }
  }

  /** Published filters with one of their scripts, and bytes that are no filter. */
  private static void blockFilters() throws IOException {
    JsonNode vectors =
        JSON.readTree(
            Path.of("../bip37/src/test/resources/vectors/bip158/testnet-19.json").toFile());
    Bytes foreign = Bytes.ofHex("0014" + "aa".repeat(20));
    for (JsonNode one : vectors.get("cases")) {
      FullBlock block = FullBlock.parse(Bytes.ofHex(one.get("block").asText()));
      Bytes script = block.transactions().get(0).outputs().get(0).script();
      Bytes filter = Bytes.ofHex(one.get("basic_filter").asText());
      blockFilter(
          "testnet-" + one.get("height").asText(),
          block.hash(),
          script.isEmpty() ? foreign : script,
          filter);
    }
    for (String filter :
        List.of("00", "0000", "017ffff0", "01ffffff", "fd01007ffff0", "ff00000000000000ff")) {
      blockFilter("made-" + filter, Hash256.ZERO, foreign, Bytes.ofHex(filter));
    }
  }

  private static void blockFilter(String name, Hash256 block, Bytes script, Bytes filter)
      throws IOException {
    write(
        "BlockFilters",
        name,
        new ByteWriter().hash(block).uint8(script.length()).bytes(script).bytes(filter).toArray());
  }

  private static void headers() throws IOException {
    write("HeaderBatches", "grow", new byte[] {0, 9, 60, 0, 0, 0, 10, 4, 60, 0, 0, 0});
    write("HeaderBatches", "fork", new byte[] {0, 9, 60, 0, 0, 0, 5, 19, 60, 0, 0, 0});
    write("HeaderBatches", "bad-work", new byte[] {0, 3, 60, 0, 0, 1});
    write("HeaderBatches", "bad-bits", new byte[] {0, 3, 60, 3, 1, 0});
    write("HeaderBatches", "orphan", new byte[] {0, 0, 60, 1, 1, 0});
    write("HeaderBatches", "time-goes-back", new byte[] {0, 20, -60, 0, 0, 0});
  }

  private static void texts() throws IOException {
    Path keys = Path.of("../coins/src/test/resources/vectors/keys");
    int n = 0;
    Set<String> shapes = new HashSet<>();
    JsonNode descriptors = JSON.readTree(keys.resolve("descriptors.json").toFile());
    for (String kind : List.of("valid", "invalid")) {
      for (JsonNode one : descriptors.path(kind)) {
        String text = one.path("descriptor").asText();
        if (shapes.add(kind + text.replaceAll("[0-9a-zA-Z]{20,}", "K"))) {
          write("Descriptors", kind + "-" + n++, text.getBytes(StandardCharsets.UTF_8));
        }
      }
    }
    write("KeyTexts", "address-main", behind(0, "bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu"));
    write(
        "KeyTexts",
        "address-taproot",
        behind(0, "bc1p5cyxnuxmeuwuvkwfem96lqzszd02n6xdcjrs20cac6yqjjwudpxqkedrcr"));
    write("KeyTexts", "address-base58", behind(0, "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa"));
    write(
        "KeyTexts",
        "xpub",
        behind(
            1,
            "xpub6CatWdiZiodmUeTDp8LT5or8nmbKNcuyvz7WyksVFkKB4RHwCD3XyuvPEbvqAQY3rAPshWcMLoP2fMFMKHPJ4Z"
                + "eZXYVUhLv1VMrjPC7PW6V"));
    write(
        "KeyTexts",
        "mnemonic",
        behind(
            2,
            "abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon"
                + " abandon about"));
    write(
        "KeyTexts",
        "watched-xpub",
        behind(
            3,
            "xpub6CatWdiZiodmUeTDp8LT5or8nmbKNcuyvz7WyksVFkKB4RHwCD3XyuvPEbvqAQY3rAPshWcMLoP2fMFMKHPJ4Z"
                + "eZXYVUhLv1VMrjPC7PW6V"));
    write("KeyTexts", "watched-address", behind(3, "bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu"));
  }

  private static WalletRecipe recipe() {
    return WalletRecipe.ofMnemonic(
            ChainParams.REGTEST,
            Mnemonic.parse("abandon ".repeat(11) + "about"),
            "",
            List.of(OutputType.P2WPKH),
            0)
        .withLookAhead(40);
  }

  /** The blocks that the wallet was synced with. */
  static BuiltChain walletsChain() {
    WalletRecipe recipe = recipe();
    List<Bytes> scripts = new ArrayList<>();
    recipe.descriptors().get(0).derive(0, 40).forEach(s -> scripts.add(s.scriptPubKey()));
    List<Bytes> change = new ArrayList<>();
    recipe.descriptors().get(1).derive(0, 40).forEach(s -> change.add(s.scriptPubKey()));
    return ChainBuilder.ofSeed(8)
        .blocks(150)
        .transactionsPerBlock(2)
        .wallet(WalletPlan.lively(scripts, change, (tx, spent) -> tx, 30))
        .build();
  }

  /** Its patches name places in the file: whoever makes it anew makes them anew, too. */
  private static void wallet() throws Exception {
    Path file = RESOURCES.resolve("wallet.murmur");
    try (RegtestNode node = RegtestNode.start(walletsChain().chain());
        SpvWallet wallet = SpvWallet.create(file, recipe())) {
      wallet.sync(SyncOptions.connect(node.address()), SyncListener.NONE);
    }
    Files.delete(RESOURCES.resolve("wallet.murmur.lock"));
  }

  private static void patches(String target) throws IOException {
    write(target, "undamaged", new byte[] {0});
    write(target, "no-wallet", behind(1, "This is not a wallet."));
    write(target, "empty-page", behind(0, new byte[] {0, 16, 0, 100}));
    write(target, "cut-in-the-middle", new byte[] {0, 0, (byte) 0x80, 0, (byte) 255});
    write(target, "cut-in-the-header", new byte[] {0, 0, 0, 50, (byte) 255});
    write(target, "page-size", new byte[] {0, 0, 0, 16, 2, 2, 0});
    write(target, "schema", new byte[] {0, 0, 0, 120, 4, 1, 2, 3, 4});
    pages(target);
  }

  private static void pages(String target) throws IOException {
    int pages = (int) (Files.size(RESOURCES.resolve("wallet.murmur")) / 4096);
    for (int page = 1; page < pages; page += 3) {
      int at = page * 4096 + 4096 - 200;
      write(
          target,
          "page-" + page,
          new byte[] {
            0, (byte) (at >> 16), (byte) (at >> 8), (byte) at, 8, -1, 127, 1, 0, 5, -128, 3, 9
          });
    }
  }
}
