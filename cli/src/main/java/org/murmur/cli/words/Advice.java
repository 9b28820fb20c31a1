package org.murmur.cli.words;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.murmur.p2p.chain.ChainParams;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.sync.Obstacle;
import org.murmur.p2p.sync.SyncFact;
import org.murmur.wallet.failure.WalletException;
import org.murmur.wallet.sync.NoUsablePeerException;

/** Advice to the user when no peer could be used. */
public final class Advice {

  private static final String KEPT = "Progress is kept";
  private static final String GOES_ON = KEPT + "; `murmur sync` continues from there";

  /** How the library describes a second name of a peer. */
  private static final String DUPLICATE = "the same peer as ";

  private Advice() {}

  /** The obstacles, and the settings to change on your own node. */
  static String of(NoUsablePeerException thrown) {
    List<String> sentences = new ArrayList<>();
    sentences.add(thrown.missing().map(NoticeText::of).orElse(Failures.message(thrown)));
    if (thrown.missing().isPresent() && thrown.search().isEmpty()) {
      List<String> faults = PeerFaults.of(thrown.report());
      sentences.addAll(faults);
      if (faults.stream().anyMatch(fault -> fault.contains(DUPLICATE))) {
        sentences.add("Two names of one address are one peer: two different addresses are needed");
      }
    }
    if (thrown.search().isPresent() && thrown.kind() != Obstacle.Kind.PROXY) {
      sentences.add(ofSearch(thrown.kind(), thrown.search().get()));
    } else {
      Map<NodeAddress, Obstacle> obstacles = thrown.obstacles();
      sentences.addAll(ofNamed(obstacles, thrown.report().network()));
      if (obstacles.containsValue(Obstacle.LOST)) {
        sentences.add(GOES_ON);
      } else if (thrown.kind().compareTo(Obstacle.Kind.LOST) >= 0) {
        sentences.add(KEPT);
      }
    }
    return joined(sentences);
  }

  /** The problem with a wallet or a request, and its solution. */
  static String of(WalletException thrown) {
    String message = Failures.message(thrown);
    return switch (thrown.kind()) {
      case CORRUPT ->
          message
              + ". If it was a wallet, restore it from its words or from the output of `murmur"
              + " export descriptor`, and sync again";
      case SEVERAL_NAMES ->
          Text.of(
              "%1$s. `find FOLDER -samefile %2$s` finds the other name; `cp %2$s copy.sqlite && mv"
                  + " copy.sqlite %2$s` makes a file of its own",
              message, thrown.file().orElse(""));
      case KNOWS_FILTER ->
          message
              + "; with --connect, name a peer that has no filter of this wallet (`murmur peers`"
              + " lists those that have one)";
      default -> message;
    };
  }

  /** Each advice once. If there are several, each is prefixed with its peers. */
  private static List<String> ofNamed(Map<NodeAddress, Obstacle> obstacles, ChainParams network) {
    Map<String, List<String>> peers = new LinkedHashMap<>();
    obstacles.forEach(
        (peer, obstacle) ->
            peers
                .computeIfAbsent(of(obstacle, network), advice -> new ArrayList<>())
                .add(peer.toString()));
    boolean one = peers.size() == 1;
    peers.remove("");
    return peers.entrySet().stream()
        .map(
            of ->
                one
                    ? of.getKey()
                    : Text.of("For %s: %s", Amounts.listed(of.getValue()), of.getKey()))
        .toList();
  }

  /** Returns the advice for one obstacle, a sentence; empty if the only advice is to try again. */
  public static String of(Obstacle obstacle, ChainParams network) {
    return switch (obstacle) {
      case UNKNOWN_NAME -> "Is the name spelled correctly, and is this machine online?";
      case NO_CONNECTION ->
          "Is the node running? Does it listen (-listen=1) on that address and port (-bind,"
              + " -port)? Or does a firewall block it?";
      case NO_VERSION ->
          "The port accepts connections but does not answer the version message. Is it the"
              + " peer-to-peer port (-port) and not the RPC port (-rpcport)? Is the node still"
              + " starting?";
      case NO_NODE ->
          "The answer does not come from a node of "
              + network.name()
              + ": is it the peer-to-peer port (-port), is --network correct, and does your"
              + " internet access require a login page first?";
      case NOT_ENCRYPTED ->
          "On your own node, set v2transport=1 in bitcoin.conf (Core's default since version 27), or"
              + " use --v2 prefer, which falls back to a connection that everybody on the line can"
              + " read";
      case BEYOND_PROXY, HANGS_UP_BEHIND_PROXY ->
          "Is the node running, and can the proxy reach it? Connect to your own node on this"
              + " machine or network without --proxy";
      case NO_OTHER -> "Name another peer: two names of one peer count once";
      case PROXY_DOWN ->
          "Is the proxy running at that address? Tor uses 127.0.0.1:9050, the Tor Browser"
              + " 127.0.0.1:9150. Nothing was sent without the proxy";
      case PROXY_UNFIT ->
          "--proxy needs a SOCKS5 proxy such as Tor's. Nothing was sent without" + " the proxy";
      case NO_BLOOM ->
          "On your own node, set peerbloomfilters=1 in bitcoin.conf, or"
              + " whitebind=noban,bloomfilter@ADDRESS:PORT (with noban it announces unconfirmed"
              + " transactions at once; whitelist has no effect on a node bound to loopback), and"
              + " restart it";
      case ONLY_FILTERS ->
          "It serves block filters: use --privacy compact, which costs more bytes and shows it no"
              + " address (`murmur sync --dry-run` compares)";
      case NO_FILTERS ->
          "On your own node, set blockfilterindex=1 and peerblockfilters=1 in bitcoin.conf, and"
              + " restart it. Or choose another preset with --privacy (`murmur sync --dry-run`"
              + " compares them)";
      case HANGS_UP ->
          Text.of(
              "Perhaps it speaks another network than %s (--network, and the port in --connect"
                  + " HOST:PORT), or takes no connections now (on your own node: bitcoin-cli"
                  + " getnetworkinfo, listbanned)",
              network.name());
      case OTHER_NETWORK -> wrongNetwork(network.name());
      case LOST -> "";
      case NOT_SYNCED ->
          "Your own node can serve the wallet when it is synced (bitcoin-cli getblockchaininfo:"
              + " blocks and headers)";
      case BEHIND ->
          "Your own node may still be syncing, or have no connection to the network (bitcoin-cli"
              + " getblockchaininfo: blocks and headers)";
      case OTHER_CHAIN ->
          "Your own node may have lost its connection to the network (bitcoin-cli getchaintips)."
              + " If you started a new regtest chain, restore the wallet under another name (-w"
              + " NAME)";
      case LACKS_BLOCKS ->
          "Your own node must be synced and not pruned: bitcoin-cli getblockchaininfo must show"
              + " equal blocks and headers, and pruned false";
      case PRUNED ->
          "A wallet with a birthday in the pruned blocks needs a node with prune=0, or another"
              + " peer, once. A pruned node serves the blocks of the last two days. With"
              + " whitebind=noban@ADDRESS:PORT your own node also serves older blocks that it"
              + " still has";
      case UPLOAD_LIMIT ->
          "On your own node, raise or remove maxuploadtarget (0: no limit), or set"
              + " whitebind=download@ADDRESS:PORT; otherwise it serves again within a day";
    };
  }

  private static String wrongNetwork(String network) {
    String challenge = network.startsWith("signet") ? ", --signet-challenge" : "";
    return Text.of(
        "It does not speak %s. Check --network%s and the port in --connect HOST:PORT",
        network, challenge);
  }

  /** Advice for a search that found no usable peer. */
  private static String ofSearch(Obstacle.Kind kind, SyncFact.PeerSearch search) {
    return switch (kind) {
      case UNREACHABLE ->
          "Is this machine online, or does a firewall block the connections? With a node of your"
              + " own: `murmur sync --connect HOST[:PORT]`";
      case NO_BLOOM -> noBloom(search.compact());
      case NO_FILTERS ->
          "About one node in nine serves block filters. Try again later, ask another node with"
              + " --seed-node HOST[:PORT], or use your own node: `murmur sync --privacy compact"
              + " --connect HOST[:PORT]` (it needs blockfilterindex=1 and peerblockfilters=1 in"
              + " bitcoin.conf)";
      case PROXY, WRONG_NETWORK, LOST, NO_GUARD -> GOES_ON;
    };
  }

  /** Advice for a search that may have seen nodes which serve filters of blocks instead. */
  private static String noBloom(int compact) {
    String own =
        "With a node of your own that has peerbloomfilters=1 in bitcoin.conf: `murmur sync"
            + " --connect HOST[:PORT]`";
    return compact == 0
        ? "Few nodes serve filtered blocks. Try again later, or ask another node with --seed-node"
            + " HOST[:PORT]. "
            + own
        : Text.of(
            "Few nodes serve filtered blocks, but %s of those that answered %s filters of blocks"
                + " instead: `murmur sync --privacy compact` uses them, and shows no peer an"
                + " address (`murmur sync --dry-run` compares). %s",
            compact, compact == 1 ? "serves" : "serve", own);
  }

  private static String joined(List<String> sentences) {
    StringBuilder text = new StringBuilder();
    for (String sentence : sentences) {
      boolean ended = text.length() == 0 || "?.".indexOf(text.charAt(text.length() - 1)) >= 0;
      text.append(ended ? "" : ".").append(text.length() == 0 ? "" : " ").append(sentence);
    }
    return text.toString();
  }
}
