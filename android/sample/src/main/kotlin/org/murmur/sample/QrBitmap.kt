package org.murmur.sample

import android.graphics.Bitmap
import android.graphics.Color
import io.nayuki.qrcodegen.QrCode

/** A QR code as a picture, with the border of four modules that the standard asks for. */
fun qrBitmap(text: String, pixelsPerModule: Int): Bitmap {
  val code = QrCode.encodeText(text, QrCode.Ecc.MEDIUM)
  val border = 4
  val size = (code.size + 2 * border) * pixelsPerModule
  val pixels = IntArray(size * size) {
    val dark =
        code.getModule(it % size / pixelsPerModule - border, it / size / pixelsPerModule - border)
    if (dark) Color.BLACK else Color.WHITE
  }
  return Bitmap.createBitmap(pixels, size, size, Bitmap.Config.ARGB_8888)
}
