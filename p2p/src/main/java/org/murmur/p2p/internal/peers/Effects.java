package org.murmur.p2p.internal.peers;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.murmur.p2p.internal.sync.Output;
import org.murmur.p2p.internal.wire.Message;
import org.murmur.p2p.sync.SyncEvent;

/** The machine's clock, its random numbers, and its outbox: the inputs and outputs of one step. */
public final class Effects {

  // Dice are a parameter: tweaks and nonces follow from the settings' seed.
  private final SplittableRandom dice;

  private Instant now = Instant.EPOCH;
  // Null before the first step.
  private @Nullable Instant began;
  // By how much the clock has gained on the steady time.
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
    if (began == null) {
      began = now;
    }
  }

  /** The clock gained on the steady time. */
  public void timeJumped(Duration by) {
    gained = gained.plus(by);
  }

  /**
   * The steady time of this step, which measures all waits. It stops while this computer sleeps,
   * and ignores changes of the clock.
   */
  public Instant now() {
    return now;
  }

  /** The steady time since the first step. */
  public Duration elapsed() {
    return began == null ? Duration.ZERO : Duration.between(began, now);
  }

  /** Converts a steady time to clock time; right unless the clock is set. */
  public Instant onTheClock(Instant steady) {
    return steady.plus(gained);
  }

  /** The clock's time, for comparisons with the outside world and for stored data. */
  public Instant clock() {
    return onTheClock(now);
  }

  public SplittableRandom dice() {
    return dice;
  }

  /** Something happened that can change what to request. */
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
    peer.conduct().sends(message, now);
    outputs.add(new Output.Send(peer.link(), message));
  }

  /**
   * Sends a request without a ping after it. {@code owed} messages, blocks or transactions answer
   * it.
   */
  public Question ask(Peer peer, Question.Kind kind, int owed, Message request) {
    send(peer, request);
    return peer.questions().open(kind, owed, null, Question.Owner.NOBODY, now);
  }

  /** Sends a request and a ping after it, whose pong closes the request. */
  public Question ask(
      Peer peer, Question.Kind kind, int owed, Message request, Question.Owner owner) {
    send(peer, request);
    return pingBehind(peer, kind, owed, owner);
  }

  /** Sends the ping after a request that was just sent. */
  public Question pingBehind(Peer peer, Question.Kind kind, int owed, Question.Owner owner) {
    long nonce = dice.nextLong();
    send(peer, new Message.Ping(nonce));
    return peer.questions().open(kind, owed, nonce, owner, now);
  }

  /** Sends a ping alone, to check that the peer is still there. */
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

  /** Returns the outputs of this step and begins a new list. */
  public List<Output> takeOutputs() {
    List<Output> taken = outputs;
    outputs = new ArrayList<>();
    return taken;
  }
}
