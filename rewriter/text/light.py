"""Words said of anything: they ask, praise, complain and date, and tell no meaning of a word from another."""

from __future__ import annotations

from rewriter.text import id

__all__ = ["LIGHT"]

_INDONESIAN = frozenset(
    """
    bagus bagusan jelek baik buruk keren mantap oke enak mahal murah termurah termahal aman bahaya berbahaya halal haram lama cepat lambat
    susah gampang mudah sulit ribet penting perlu terbaik terburuk terbaru terkenal populer viral hits lemah kuat hebat parah aneh unik
    lucu asli palsu ori kw besar kecil tinggi rendah bagusnya jeleknya worth
    naik turun rusak error eror mati hilang ilang habis abis putus macet lemot penuh kosong tutup buka dibuka ditutup bukanya mulai dimulai
    selesai masuk keluar berhenti bermasalah gagal berhasil kalah menang main mainnya tayang rilis jalan nyala hidup terancam langka
    besok kemarin sekarang nanti malam siang sore pagi tadi minggu bulan tahun depan lalu hari berikutnya terakhir pertama kedua ketiga
    artinya arti maksud maksudnya pengertian fungsi guna kegunaan manfaat contoh contohnya gambar foto video berita info informasi kabar
    biaya tarif ongkos spesifikasi fitur syarat persyaratan keunggulan diskon promo stok situs aplikasi jumlah
    update jadwal daftar harga alamat lokasi cara tips tutorial rekomendasi review ulasan kelebihan kekurangan perbedaan beda jenis macam
    tipe merk merek ukuran warna umur usia berat tempat asal sejarah nama pakai pake dipakai beli jual dijual cari nyari dapat dapet bikin
    terkini terupdate resmi lengkap gratis online offline sendiri semua sama lain juga aja saja lagi masih
    buat tahu tau suka pernah mau pengen bisa boleh harus jauh dekat terdekat kena kaya kayak milik punya lihat liat cek tanya
    """.split()
)
_ENGLISH = frozenset(
    """
    good bad best worst better nice great cheap expensive safe dangerous fast slow easy hard free new old popular famous big small real
    fake broken down up working work works fail fails failed failing issue issues problem problems error errors fix help update updates
    news info information facts fact photo photos picture pictures image images video videos tips tip guide guides tutorial tutorials
    example examples explain explained meaning mean means meanings definition define review reviews recommendation recommendations idea
    ideas setup price prices cost costs schedule score scores lineup squad results result today tonight tomorrow yesterday now latest next
    last weak strong sold out open opening closed close time times hours near location address list top speed size weight height age color
    colour buy sell get use uses used using want need like draw show find make happen happens happened difference types type kinds kind
    price prices cost costs features specs requirements address steps release date results discount stock version website link tutorial
    brands types benefits advantages disadvantages
    history origin name called learn started beginner beginners worth heavy tall old long far
    """.split()
)
LIGHT = _INDONESIAN | _ENGLISH | id.QUESTION_TAGS
"""Of both languages."""
