package org.murmur.cli;

import com.google.zxing.BinaryBitmap;
import com.google.zxing.DecodeHintType;
import com.google.zxing.RGBLuminanceSource;
import com.google.zxing.ReaderException;
import com.google.zxing.common.HybridBinarizer;
import com.google.zxing.qrcode.QRCodeReader;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** Reads printed QR codes from a picture of the characters. */
public final class PrintedQr {

  private static final int BLACK = 0;
  private static final int WHITE = 0xffffff;
  private static final int PIXELS = 5;

  /** The picture is not turned or tilted, and has nothing else in it. */
  private static final Map<DecodeHintType, ?> STRAIGHT = Map.of(DecodeHintType.PURE_BARCODE, true);

  private PrintedQr() {}

  /** The text of a code of half blocks; colours are ignored. */
  public static String read(List<String> lines) {
    List<String> plain =
        lines.stream().map(line -> line.replaceAll("\u001b\\[[0-9;]*m", "")).toList();
    int width = plain.get(0).length() * PIXELS;
    int height = plain.size() * 2 * PIXELS;
    int[] picture = new int[width * height];
    Arrays.fill(picture, WHITE);
    for (int y = 0; y < height; y++) {
      for (int x = 0; x < width; x++) {
        char character = plain.get(y / PIXELS / 2).charAt(x / PIXELS);
        boolean upper = y / PIXELS % 2 == 0;
        if (character == '█' || character == (upper ? '▀' : '▄')) {
          picture[y * width + x] = BLACK;
        } else if (" ▀▄".indexOf(character) < 0) {
          throw new AssertionError("not a half block: " + (int) character);
        }
      }
    }
    var image =
        new BinaryBitmap(new HybridBinarizer(new RGBLuminanceSource(width, height, picture)));
    try {
      return new QRCodeReader().decode(image, STRAIGHT).getText();
    } catch (ReaderException e) {
      throw new AssertionError("no QR code in\n" + String.join("\n", plain), e);
    }
  }
}
