"""Indonesian: facts about the language, under the same names as in `en`.

The affix rules follow the reference grammars' tables of meN- and peN- assimilation.  They never stem to a root for its own
sake: `stems` proposes the forms behind a word, least stripped first, each with what the stripped affixes mean.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

__all__ = [
    "ADVERBS", "ATTRIBUTES", "CLITIC", "COMMANDS", "EVENTS", "FUNCTION", "GREETINGS", "INTRANSITIVE", "MODALS", "NAME_HEADS", "NEGATIONS",
    "PARTICLES", "PERSONS", "PRONOUNS", "QUESTION", "QUESTION_TAGS", "active", "detach_clitic", "expand_reduplication", "stems",
]  # fmt: skip

QUESTION = frozenset(
    """
    apa apakah apaan siapa siapakah kapan kapankah mana manakah dimana dimanakah kemana darimana berapa berapakah bagaimana
    bagaimanakah gimana mengapa mengapakah kenapa kenapakah adakah bisakah bolehkah haruskah benarkah betulkah perlukah amankah
    mungkinkah apanya siapanya keberapa seberapa
    """.split()
)
"""Words that make a question wherever they stand."""

NEGATIONS = frozenset(
    """
    tidak tak bukan tanpa belum jangan selain kecuali non anti nggak gak ga enggak ngga kagak ndak bebas minus
    """.split()
)
"""Words that turn a meaning round; each keeps its place before what it negates."""

QUESTION_TAGS = frozenset("tidak gak ga nggak enggak engga ngga kagak ndak tdk gk kah belum".split())
"""Behind a statement these ask: `aman gak`, `sudah cair belum`."""

PARTICLES = frozenset(
    """
    sih dong deh nih tuh kok lho loh kan ya yah yuk ayo mah toh lah kah pun tau gitu gini aja saja banget doang kak gan bro sis
    min guys bang mbak mas om tante please plis tolong mohon dok pak bu
    """.split()
)
"""Words of talk that carry nothing for a search."""

FUNCTION = (
    frozenset(
        """
    yang di ke dari dan atau untuk pada dengan adalah ialah merupakan yaitu yakni ini itu ada dalam oleh akan telah sudah udah
    bisa dapat sebagai para juga agar supaya karena sebab jika kalau bila ketika saat saya aku kamu anda dia mereka kita kami ia
    nya seperti tentang terhadap antara hingga sampai setelah sebelum sejak maka lalu kemudian tetapi tapi namun buat bagi lagi
    sedang masih lebih paling sangat sekali terlalu cukup agak harus perlu boleh mau ingin pengen pakai sama daripada per secara
    tersebut begitu begini sangatlah itulah inilah adanya si sang tadi nanti pas biar cara gimana bagaimana apa berapa kapan
    mana siapa mengapa kenapa dimana apakah serta maupun dll dsb
    """.split()
    )
    | PARTICLES
)
"""Words without content of their own."""

PRONOUNS = frozenset("itu ini tersebut dia ia mereka beliau nya tadi begitu situ sana sini disana disitu disini".split())
"""Words that may stand for something named before."""

ATTRIBUTES = frozenset(
    """
    harga biaya tarif ongkir ongkos spesifikasi spek fitur kelebihan kekurangan keunggulan kelemahan alamat lokasi jadwal jam
    syarat persyaratan cara caranya efek manfaat dosis gejala penyebab obat resep bahan warna ukuran berat tinggi umur usia gaji
    skor hasil rilis sinopsis pemain pemeran sutradara penulis pencipta lirik arti makna contoh alternatif review ulasan garansi
    diskon promo stok kapasitas kecepatan baterai kamera layar garis luas populasi penduduk presiden ibukota pendiri pemilik
    kantor nomor telepon kontak website situs aplikasi link tutorial langkah bedanya perbedaan beda durasi lama mulai akhir asal
    sejarah keuntungan risiko bahaya kandungan komposisi rasa isi versi ukurannya untungnya ruginya akurasi performa perawatan
    pengobatan pencegahan rekomendasi merek merk jenis macam tipe istri suami anak pacar agama penghasilan pendapatan biografi
    profil karier lulusan pekerjaan kebangsaan hotel kuliner wisata transportasi tiket cuaca
    """.split()
)
"""Nouns that ask for something else to belong to: alone they are a follow-up."""

ADVERBS = frozenset(
    """
    biasanya umumnya sebenarnya akhirnya misalnya sepertinya seharusnya selanjutnya sebaiknya kayaknya pokoknya sebelumnya
    sebagainya setidaknya khususnya terutama sering selalu kadang jarang langsung segera sekitar kira hampir mungkin pasti
    memang tentu justru bahkan cuma hanya masing ternyata
    """.split()
)
"""Adverbs of talk: no part of the name of a thing that is talked about."""

NAME_HEADS = frozenset(
    """
    presiden wakil menteri gubernur bupati walikota wali ketua kepala direktur jenderal deputi sekretaris raja ratu pangeran
    sultan nabi rasul bank universitas institut sekolah fakultas departemen kementerian dinas badan lembaga dewan komisi
    partai kabupaten kota provinsi kecamatan desa kelurahan negara republik kerajaan kesultanan pulau kepulauan gunung danau
    sungai laut selat teluk samudra pantai taman nasional candi masjid gereja museum bandara stasiun pelabuhan terminal rumah
    sakit klub tim liga piala perang revolusi perjanjian undang hukum teori indonesia perusahaan
    """.split()
)
"""Heads of names and titles: translated although they bear a capital."""

PERSONS = frozenset(
    """
    dokter bidan perawat guru dosen bos atasan istri suami ibu bapak ayah mama papa mamah adik kakak anak pacar teman temen tetangga
    mertua kakek nenek om tante sepupu keponakan
    """.split()
)
"""Who is talked with or cared for: `-nya` and `itu` in a search seldom mean them."""
MODALS = frozenset("bisa boleh perlu harus wajib aman masih ada udah sudah mau pasti jadi cocok worth kena bikin support".split())
"""Openings of a question whose subject was said before: `bisa online ga`, `masih garansi ga`."""
EVENTS = frozenset(
    """
    buka tutup rilis tayang mulai selesai berangkat sampai tiba cair dibuka ditutup berakhir keluar habis naik turun
    """.split()
)
"""Verbs that need a subject and no object: alone with a question word they lean on what was said."""

GREETINGS = frozenset(
    """
    halo hai hi hello hey pagi siang sore malam assalamualaikum permisi makasih terimakasih thanks trims oke ok okay sip mantap
    siap baik selamat terima kasih iya ya tidak nggak gak wkwk haha lol maaf sori sorry good
    """.split()
)
COMMANDS = frozenset(
    """
    ulangi lanjutkan lanjut jelaskan ringkas rangkum terjemahkan singkatkan persingkat tuliskan buatkan
    """.split()
)

CLITIC = re.compile(r"(?P<stem>.{3,}?)-?(?P<clitic>nya|ku|mu)(?P<particle>lah|kah|pun)?\Z")
_REDUPLICATED = re.compile(r"(?P<a>[^\W\d_]{2,})(?:-(?P<b>[^\W\d_]{2,})|(?P<two>2))(?P<clitic>nya|an|an-nya)?\Z")

_NASAL: tuple[tuple[str, tuple[str, ...]], ...] = (
    # prefix, what the root may begin with once the nasal is undone ("" keeps what follows)
    ("meny", ("s",)),
    ("meng", ("", "k")),
    ("mem", ("", "p")),
    ("men", ("", "t")),
    ("menge", ("",)),
    ("me", ("",)),
    ("peny", ("s",)),
    ("peng", ("", "k")),
    ("penge", ("",)),
    ("pem", ("", "p")),
    ("pen", ("", "t")),
    ("pe", ("",)),
    ("ny", ("s", "c")),
    ("nge", ("",)),
    ("ng", ("", "k")),
    ("n", ("t", "c")),
    ("m", ("p",)),
)
_SUFFIXES = ("kan", "an", "i", "in")
_MEANING = {
    "me": "active", "pe": "agent", "di": "passive", "ber": "have", "ter": "ter", "per": "make", "ke": "ke", "se": "one", "ny": "active",
    "ng": "active", "n": "active", "m": "active", "nge": "active", "bel": "have", "be": "have", "te": "ter",
}  # fmt: skip
_PREFIX_NAMES = frozenset(_MEANING.values())
_PREFIXES = ("di", "ber", "bel", "ter", "per", "ke", "se", "be", "te")
_PREFIX_LETTERS = frozenset([prefix[0] for prefix in (*_PREFIXES, *[prefix for prefix, _ in _NASAL])])
"""A word that begins otherwise has no prefix: most are done with one look."""


def detach_clitic(word: str) -> tuple[str, str] | None:
    """`harganya` → (`harga`, `nya`); None where there is none to see.

    Particles behind it go too (`harganyalah`).  Whether the rest is a word is for the caller to ask: `hanya`, `punya`,
    `tanya` end so by birth.
    """
    match = CLITIC.match(word)
    return (match["stem"], match["clitic"]) if match else None


def expand_reduplication(word: str) -> str:
    """`buku2` and `buku-buku` → `buku`, `obat-obatan` → `obat`, of which they are the plural; "" for other words.

    Changing reduplications (`sayur-mayur`, `bolak-balik`) and words that are no plural (`laba-laba`, `kupu-kupu`) are lexicon entries.
    """
    match = _REDUPLICATED.match(word)
    if not match:
        return ""
    first, second = match["a"], match["b"]
    if second is None or second == first or (second.startswith(first) and second[len(first) :] in ("an", "nya", "annya")):
        return first
    return ""


def stems(word: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Forms that may stand behind an affixed word, least stripped first, with the affixes' names.

    Only shapes; the caller keeps the first that has an entry.  Stems shorter than three letters are not proposed.

    >>> next(stems("mengatasinya"))
    ('mengatasi', ('nya',))
    >>> [s for s, _ in stems("pembuatan")]
    ['pembuat', 'buatan', 'mbuatan', 'buat', 'mbuat']
    """
    seen = {word}
    queue: list[tuple[str, tuple[str, ...]]] = [(word, ())]
    while queue:
        current, names = queue.pop(0)
        for stem, name in _peel(current, names):
            if len(stem) >= 3 and stem not in seen:
                seen.add(stem)
                made = (*names, name)
                yield stem, made
                if len(made) < 4:
                    queue.append((stem, made))


def _peel(word: str, names: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """One affix off: clitics first, then suffixes, then prefixes."""
    if not names:
        for particle in ("lah", "kah", "pun"):
            if word.endswith(particle) and len(word) - len(particle) >= 3:
                yield word[: -len(particle)], particle
    if all(n in ("lah", "kah", "pun") for n in names):
        for clitic in ("nya", "ku", "mu"):
            if word.endswith(clitic) and len(word) - len(clitic) >= 3:
                yield word[: -len(clitic)].rstrip("-"), clitic
    if not any(n in _SUFFIXES for n in names):
        for suffix in _SUFFIXES:
            if word.endswith(suffix) and len(word) - len(suffix) >= 3:
                yield word[: -len(suffix)], suffix
    if word[0] in _PREFIX_LETTERS and (len(names) < 2 or sum([n in _PREFIX_NAMES for n in names]) < 2):
        for prefix, starts in _NASAL:
            if word.startswith(prefix) and len(word) - len(prefix) >= 2:
                rest = word[len(prefix) :]
                for start in starts:
                    if start and rest[0] not in "aiueo":
                        continue
                    yield start + rest, _MEANING.get(prefix, "active" if prefix.startswith("m") else "agent")
        for prefix in _PREFIXES:
            if word.startswith(prefix) and len(word) - len(prefix) >= 3:
                yield word[len(prefix) :], _MEANING[prefix]


INTRANSITIVE = frozenset(
    """
    turun naik jadi tidur masuk pulang makan minum mandi hidup duduk pergi datang tumbuh lulus main keluar lari kerja sembuh
    menang kembali bangun jatuh sampai pindah hilang ikut mati diet hamil puasa salat sholat haji umrah bisnis usaha cepat mudah
    aman
    """.split()
)
"""Base verbs that take no object: they stay bare behind `cara`."""


def active(base: str) -> str:
    """The active form of a base verb, by the rules of meN-; a word that has a prefix already stays, `bikin` has its formal verb.

    >>> [active(b) for b in ("hapus", "pakai", "tulis", "sapu", "kirim", "beli", "daftar", "cek", "lapor", "mengirim")]
    ['menghapus', 'memakai', 'menulis', 'menyapu', 'mengirim', 'membeli', 'mendaftar', 'mengecek', 'melapor', 'mengirim']
    """
    if (base.startswith(("me", "ber", "di", "ter", "ke", "pe")) and len(base) > 5) or not base.isalpha():
        return base
    if base == "bikin":
        return "membuat"
    first = base[0]
    if sum(c in "aeiou" for c in base) == 1:
        return "menge" + base
    if first in "aeiou" or first in "gh" or base.startswith("kh"):
        return "meng" + base
    if first == "k":
        return "meng" + base[1:]
    if first == "p":
        return "mem" + base[1:]
    if first in "bfv":
        return "mem" + base
    if first == "t":
        return "men" + base[1:]
    if first in "cdjz":
        return "men" + base
    if first == "s":
        return "meny" + base[1:]
    return "me" + base
