package org.murmur.p2p.peers;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.murmur.p2p.sync.Output;
import org.murmur.p2p.sync.SyncEvent;
import org.murmur.p2p.wire.Message;

/** The machine's clock, its dice, and its outbox: what happens in a step comes and goes here. */
public final class Effects {

  // Dice are handed in: tweaks and nonces follow from the settings' seed.
  private final SplittableRandom dice;

  private Instant now = Instant.EPOCH;
  // By how much the clock has gained on it.
  private Duration gained = Duration.ZERO;
  private long changes;
  private long bytesReceived;
  private List<Output> outputs = new ArrayList<>();

  public Effects(long seed) {
    this.dice = new SplittableRandom(seed);
  }

  /** Takes the clock's time of this step. */
  public void setTime(Instant clock) {
    now = clock.minus(gained);
  }

  /** The clock gained on what really passed. */
  public void timeJumped(Duration by) {
    gained = gained.plus(by);
  }

  /**
   * The steady time of this step: what can be waited for is measured by it. It stands still while
   * this end is away, and does not see the clock being set.
   */
  public Instant now() {
    return now;
  }

  /** A steady time as the clock will show it, if nobody sets it. */
  public Instant onTheClock(Instant steady) {
    return steady.plus(gained);
  }

  /** What the clock shows, for all that is compared with the world outside, or kept. */
  public Instant clock() {
    return onTheClock(now);
  }

  public SplittableRandom dice() {
    return dice;
  }

  /** Something happened that can change what is to be asked for. */
  public void changed() {
    changes++;
  }

  /** How often that happened: no part needs to plan twice in one state. */
  public long changes() {
    return changes;
  }

  /** Bytes came from a peer. */
  public void received(int wireBytes) {
    bytesReceived += wireBytes;
  }

  public long bytesReceived() {
    return bytesReceived;
  }

  public void send(Peer peer, Message message) {
    outputs.add(new Output.Send(peer.link(), message));
  }

  /**
   * Sends a request without a ping behind it.
   *
   * @param owed how many messages, blocks or transactions answer it
   */
  public Question ask(Peer peer, Question.Kind kind, int owed, Message request) {
    send(peer, request);
    return peer.questions().open(kind, owed, null, Question.Owner.NOBODY, now);
  }

  /** Sends a request and a ping behind it, whose pong closes the question. */
  public Question ask(
      Peer peer, Question.Kind kind, int owed, Message request, Question.Owner owner) {
    send(peer, request);
    return pingBehind(peer, kind, owed, owner);
  }

  /** Sends the ping behind a request that was sent just now. */
  public Question pingBehind(Peer peer, Question.Kind kind, int owed, Question.Owner owner) {
    long nonce = dice.nextLong();
    send(peer, new Message.Ping(nonce));
    return peer.questions().open(kind, owed, nonce, owner, now);
  }

  /** Sends a ping alone, to see whether the peer is still there. */
  public void ping(Peer peer) {
    pingBehind(peer, Question.Kind.PING, 0, Question.Owner.NOBODY);
  }

  public void note(SyncEvent.Note.Topic topic, Peer peer, String text) {
    emit(new SyncEvent.Note(topic, peer.link().address(), text));
  }

  public void emit(SyncEvent event) {
    outputs.add(new Output.Emit(event));
  }

  public void output(Output output) {
    outputs.add(output);
  }

  /** Hands the outputs of this step over and begins a new list. */
  public List<Output> takeOutputs() {
    List<Output> taken = outputs;
    outputs = new ArrayList<>();
    return taken;
  }
}
