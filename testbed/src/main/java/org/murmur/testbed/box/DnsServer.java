package org.murmur.testbed.box;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.SocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** A DNS server on 127.0.0.1 (RFC 1035) that knows IPv4 addresses of some names. Thread-safe. */
public final class DnsServer implements AutoCloseable {

  private static final int TYPE_A = 1;
  private static final int CLASS_IN = 1;
  private static final int NO_SUCH_NAME = 3;
  private static final int MAX_PACKET = 4_096;

  private final Map<String, List<String>> names = new ConcurrentHashMap<>();
  private final List<String> asked = new CopyOnWriteArrayList<>();
  private final DatagramSocket socket;

  /** Starts it on a port of 127.0.0.1; 0 is a free one. */
  public DnsServer(int port) throws IOException {
    socket = new DatagramSocket(port, InetAddress.getLoopbackAddress());
    Thread server = new Thread(this::serve, "dns");
    server.setDaemon(true);
    server.start();
  }

  /** The addresses of each name, which may be changed. */
  public Map<String, List<String>> names() {
    return names;
  }

  /** All names that were asked for, in order; may be cleared. */
  public List<String> asked() {
    return asked;
  }

  public SocketAddress address() {
    return socket.getLocalSocketAddress();
  }

  private void serve() {
    byte[] buffer = new byte[MAX_PACKET];
    while (!socket.isClosed()) {
      try {
        DatagramPacket packet = new DatagramPacket(buffer, buffer.length);
        socket.receive(packet);
        byte[] answer = answer(packet.getData(), packet.getLength());
        socket.send(new DatagramPacket(answer, answer.length, packet.getSocketAddress()));
      } catch (IOException e) {
        // Closed, or a packet that is no question.
      }
    }
  }

  private byte[] answer(byte[] packet, int length) throws IOException {
    DataInputStream in = new DataInputStream(new ByteArrayInputStream(packet, 0, length));
    int id = in.readUnsignedShort();
    in.skipBytes(10);
    String name = readName(in);
    int type = in.readUnsignedShort();
    asked.add(name);
    List<String> known = names.get(name);
    List<String> found = known == null || type != TYPE_A ? List.of() : known;
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    out.writeShort(id);
    // A response, recursion desired and available.
    out.writeShort(0x8180 | (known == null ? NO_SUCH_NAME : 0));
    out.writeShort(1);
    out.writeShort(found.size());
    out.writeInt(0);
    writeQuestion(name, type, out);
    for (String address : found) {
      // A pointer to the name in the question.
      out.writeShort(0xc00c);
      out.writeShort(TYPE_A);
      out.writeShort(CLASS_IN);
      out.writeInt(60);
      out.writeShort(4);
      out.write(InetAddress.getByName(address).getAddress());
    }
    return bytes.toByteArray();
  }

  private static void writeQuestion(String name, int type, DataOutputStream out)
      throws IOException {
    for (String label : name.split("\\.", -1)) {
      out.writeByte(label.length());
      out.write(label.getBytes(StandardCharsets.US_ASCII));
    }
    out.writeByte(0);
    out.writeShort(type);
    out.writeShort(CLASS_IN);
  }

  private static String readName(DataInputStream in) throws IOException {
    List<String> labels = new ArrayList<>();
    for (int length = in.readUnsignedByte(); length > 0; length = in.readUnsignedByte()) {
      byte[] label = new byte[length];
      in.readFully(label);
      labels.add(new String(label, StandardCharsets.US_ASCII));
    }
    return String.join(".", labels);
  }

  @Override
  public void close() {
    socket.close();
  }
}
