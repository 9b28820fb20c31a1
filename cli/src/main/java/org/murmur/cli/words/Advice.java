package org.murmur.cli.words;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.murmur.p2p.chain.Network;
import org.murmur.p2p.discovery.PeerAddress;
import org.murmur.p2p.sync.Obstacle;
import org.murmur.wallet.NoUsablePeerException;
import org.murmur.wallet.WalletException;

/** What a person can do when no peer was of use. */
public final class Advice {

  private static final String KEPT = "What was synced is kept";
  private static final String GOES_ON = KEPT + "; `murmur sync` goes on from there";

  private Advice() {}

  /** What stood in the way, and what to do about it on a node of one's own. */
  static String of(NoUsablePeerException thrown) {
    List<String> sentences = new ArrayList<>();
    sentences.add(thrown.missing().map(WarningText::of).orElse(Failures.message(thrown)));
    if (thrown.search().isPresent() && thrown.kind() != Obstacle.Kind.PROXY) {
      sentences.add(ofSearch(thrown.kind()));
    } else {
      Map<PeerAddress, Obstacle> obstacles = thrown.obstacles();
      sentences.addAll(ofNamed(obstacles, thrown.report().network()));
      if (obstacles.containsValue(Obstacle.LOST)) {
        sentences.add(GOES_ON);
      } else if (thrown.kind().compareTo(Obstacle.Kind.LOST) >= 0) {
        sentences.add(KEPT);
      }
    }
    return joined(sentences);
  }

  /** What is wrong with a wallet or a request, and what to do about it. */
  static String of(WalletException thrown) {
    String message = Failures.message(thrown);
    return switch (thrown.kind()) {
      case CORRUPT ->
          message
              + ". If it was a wallet: one restored from its words, or from `murmur export"
              + " descriptor`, syncs again";
      case KNOWS_FILTER ->
          message
              + "; name one with --connect that the wallet does not sync from (`murmur peers` lists"
              + " who was shown one)";
      default -> message;
    };
  }

  /** Each advice once; where there are several, for which peers each of them is. */
  private static List<String> ofNamed(Map<PeerAddress, Obstacle> obstacles, Network network) {
    Map<String, List<String>> peers = new LinkedHashMap<>();
    obstacles.forEach(
        (peer, obstacle) ->
            peers
                .computeIfAbsent(of(obstacle, network), advice -> new ArrayList<>())
                .add(peer.toString()));
    boolean one = peers.size() == 1;
    peers.remove("");
    List<String> sentences = new ArrayList<>();
    peers.forEach(
        (advice, those) ->
            sentences.add(one ? advice : "For " + String.join(", ", those) + ": " + advice));
    return sentences;
  }

  /**
   * Says what to do about one obstacle.
   *
   * @param obstacle what is in the way
   * @param network the network that is meant
   * @return a sentence; empty if there is nothing but to try again
   */
  public static String of(Obstacle obstacle, Network network) {
    return switch (obstacle) {
      case UNKNOWN_NAME -> "Is the name spelled right, and is there a network?";
      case NO_CONNECTION ->
          "Is the node running, does it listen (-listen=1) on that address and port (-bind,"
              + " -port), and does no firewall stand between?";
      case NO_HELLO ->
          "Something takes connections there but does not say hello as a node does: is it the port"
              + " for peers (-port), not that for commands (-rpcport), and is the node not just"
              + " starting?";
      case NO_NODE ->
          "What answers there is no node of "
              + network.name()
              + ": is it the port for peers (-port), does --network say which network is meant, and"
              + " does the line here ask for a login on a web page first?";
      case BEYOND_PROXY, HANGS_UP_BEHIND_PROXY ->
          "Is the node running, and does the proxy reach it? A node of your own on this machine or"
              + " network is called without --proxy";
      case NO_OTHER -> "Name another peer: one that has two names counts once";
      case PROXY_DOWN ->
          "Is it running, and does it listen there (Tor: 127.0.0.1:9050, with the Tor Browser"
              + " 127.0.0.1:9150)? Nothing was sent around it";
      case PROXY_UNFIT -> "--proxy takes a SOCKS5 proxy such as Tor's. Nothing was sent around it";
      case NO_BLOOM ->
          "On a node of your own, put peerbloomfilters=1 into bitcoin.conf, or give this program"
              + " the permission with whitebind=noban,bloomfilter@ADDRESS:PORT (noban: it tells at"
              + " once what is unconfirmed; whitelist does nothing for a node bound to loopback),"
              + " and restart it";
      case HANGS_UP, STRANGE -> wrongNetwork(network.name());
      case LOST -> "";
      case NOT_SYNCED ->
          "A node of your own serves when it is synced (bitcoin-cli getblockchaininfo: blocks and"
              + " headers)";
      case BEHIND ->
          "A node of your own may still be syncing, or be cut off from the network (bitcoin-cli"
              + " getblockchaininfo: blocks and headers)";
      case OTHER_CHAIN ->
          "A node of your own may have been cut off from the network (bitcoin-cli getchaintips);"
              + " where its chain was begun anew, as one may on regtest, restore the wallet under"
              + " another name (-w NAME)";
      case LACKS_BLOCKS ->
          "A node of your own serves all blocks when it is synced and not pruned (bitcoin-cli"
              + " getblockchaininfo: blocks and headers, pruned)";
      case PRUNED ->
          "A wallet whose birthday lies in what was pruned needs a node with prune=0, or another"
              + " peer, once; for the blocks of the last two days a pruned node will do. A node of"
              + " your own that has not pruned them yet serves them with"
              + " whitebind=noban@ADDRESS:PORT";
      case UPLOAD_LIMIT ->
          "On a node of your own raise maxuploadtarget or take it out (0: no limit), or give this"
              + " program the permission with whitebind=download@ADDRESS:PORT; else it serves again"
              + " within a day";
    };
  }

  private static String wrongNetwork(String network) {
    return "It does not speak "
        + network
        + ": --network says which network is meant"
        + (network.startsWith("signet") ? ", --signet-challenge which signet of one's own," : ",")
        + " --connect HOST:PORT where it listens";
  }

  /** What to do when nobody was named and nobody of use was found. */
  private static String ofSearch(Obstacle.Kind kind) {
    return switch (kind) {
      case UNREACHABLE ->
          "Is there a network, and does no firewall stand in the way? --connect HOST[:PORT] names a"
              + " node of your own";
      case NO_BLOOM ->
          "Few nodes serve filtered blocks; try again later, ask others with --seed-node"
              + " HOST[:PORT], or name a node of your own with --connect (it needs"
              + " peerbloomfilters=1 in bitcoin.conf)";
      case PROXY, WRONG_NETWORK, LOST, NO_GUARD -> GOES_ON;
    };
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
