package org.murmur.p2p.sync;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.murmur.p2p.wire.Message;

/** The machine's clock, its dice, and its outbox: what happens in a step comes and goes here. */
final class Effects {

  // Dice are handed in: tweaks and nonces follow from the settings' seed.
  private final SplittableRandom dice;

  private Instant now = Instant.EPOCH;
  // By how much the clock has gained on it.
  private Duration gained = Duration.ZERO;
  private long changes;
  private long bytesReceived;
  private List<Output> outputs = new ArrayList<>();

  Effects(long seed) {
    this.dice = new SplittableRandom(seed);
  }

  /** Takes the clock's time of this step. */
  void setTime(Instant clock) {
    now = clock.minus(gained);
  }

  /** The clock gained on what really passed. */
  void timeJumped(Duration by) {
    gained = gained.plus(by);
  }

  /**
   * The steady time of this step: what can be waited for is measured by it. It stands still while
   * this end is away, and does not see the clock being set.
   */
  Instant now() {
    return now;
  }

  /** A steady time as the clock will show it, if nobody sets it. */
  Instant onTheClock(Instant steady) {
    return steady.plus(gained);
  }

  /** What the clock shows, for all that is compared with the world outside, or kept. */
  Instant clock() {
    return onTheClock(now);
  }

  SplittableRandom dice() {
    return dice;
  }

  /** Something happened that can change what is to be asked for. */
  void changed() {
    changes++;
  }

  /** How often that was so: nobody needs to plan twice in one state. */
  long changes() {
    return changes;
  }

  /** Bytes came from a peer. */
  void received(int wireBytes) {
    bytesReceived += wireBytes;
  }

  long bytesReceived() {
    return bytesReceived;
  }

  void send(Peer peer, Message message) {
    outputs.add(new Output.Send(peer.link, message));
  }

  /** Sends a ping and returns its nonce. */
  long ping(Peer peer) {
    long nonce = dice.nextLong();
    peer.pings.put(nonce, now);
    send(peer, new Message.Ping(nonce));
    return nonce;
  }

  void note(SyncEvent.Note.Topic topic, Peer peer, String text) {
    emit(new SyncEvent.Note(topic, peer.link.address(), text));
  }

  void emit(SyncEvent event) {
    outputs.add(new Output.Emit(event));
  }

  void output(Output output) {
    outputs.add(output);
  }

  /** Hands the outputs of this step over and begins a new list. */
  List<Output> takeOutputs() {
    List<Output> taken = outputs;
    outputs = new ArrayList<>();
    return taken;
  }
}
