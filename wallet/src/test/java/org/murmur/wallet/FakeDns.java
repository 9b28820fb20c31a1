package org.murmur.wallet;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.murmur.p2p.net.HostNames;

/** A DNS server on loopback (RFC 1035, questions for IPv4 addresses only) and a client for it. */
final class FakeDns implements HostNames, AutoCloseable {

  private static final int TYPE_A = 1;
  private static final int CLASS_IN = 1;
  private static final int NO_SUCH_NAME = 3;
  private static final int MAX_PACKET = 4_096;

  final Map<String, List<String>> names = new ConcurrentHashMap<>();
  final List<String> asked = new CopyOnWriteArrayList<>();
  private final DatagramSocket socket;

  FakeDns() throws IOException {
    socket = new DatagramSocket(0, InetAddress.getLoopbackAddress());
    Thread server = new Thread(this::serve, "fake-dns");
    server.setDaemon(true);
    server.start();
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
    asked.add(name);
    List<String> found = names.getOrDefault(name, List.of());
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    out.writeShort(id);
    // A response, recursion desired and available.
    out.writeShort(0x8180 | (found.isEmpty() ? NO_SUCH_NAME : 0));
    out.writeShort(1);
    out.writeShort(found.size());
    out.writeInt(0);
    writeQuestion(name, out);
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

  @Override
  public InetAddress[] lookUp(String host) throws UnknownHostException {
    try (DatagramSocket asking = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
      asking.setSoTimeout(5_000);
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      DataOutputStream out = new DataOutputStream(bytes);
      out.writeShort(1);
      out.writeShort(0x0100);
      out.writeShort(1);
      out.writeShort(0);
      out.writeInt(0);
      writeQuestion(host, out);
      byte[] question = bytes.toByteArray();
      asking.send(new DatagramPacket(question, question.length, socket.getLocalSocketAddress()));
      DatagramPacket packet = new DatagramPacket(new byte[MAX_PACKET], MAX_PACKET);
      asking.receive(packet);
      return addresses(packet, host);
    } catch (UnknownHostException e) {
      throw e;
    } catch (IOException e) {
      throw new UnknownHostException(host + ": " + e.getMessage());
    }
  }

  private static InetAddress[] addresses(DatagramPacket packet, String host) throws IOException {
    DataInputStream in =
        new DataInputStream(new ByteArrayInputStream(packet.getData(), 0, packet.getLength()));
    in.skipBytes(2);
    int flags = in.readUnsignedShort();
    in.skipBytes(2);
    int count = in.readUnsignedShort();
    in.skipBytes(4);
    readName(in);
    in.skipBytes(4);
    if ((flags & 0xf) != 0) {
      throw new UnknownHostException(host);
    }
    InetAddress[] found = new InetAddress[count];
    for (int i = 0; i < count; i++) {
      in.skipBytes(12);
      byte[] address = new byte[4];
      in.readFully(address);
      found[i] = InetAddress.getByAddress(address);
    }
    return found;
  }

  private static void writeQuestion(String name, DataOutputStream out) throws IOException {
    for (String label : name.split("\\.", -1)) {
      out.writeByte(label.length());
      out.write(label.getBytes(StandardCharsets.US_ASCII));
    }
    out.writeByte(0);
    out.writeShort(TYPE_A);
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
