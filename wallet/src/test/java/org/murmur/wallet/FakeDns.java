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
import org.murmur.p2p.net.HostNames;
import org.murmur.testbed.box.DnsServer;

/** A DNS server on loopback and a client for it (RFC 1035, IPv4 addresses only). */
final class FakeDns implements HostNames, AutoCloseable {

  private static final int TYPE_A = 1;
  private static final int CLASS_IN = 1;
  private static final int MAX_PACKET = 4_096;

  final Map<String, List<String>> names;
  final List<String> asked;
  private final DnsServer server = new DnsServer(0);

  FakeDns() throws IOException {
    names = server.names();
    asked = server.asked();
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
      asking.send(new DatagramPacket(question, question.length, server.address()));
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
    server.close();
  }
}
