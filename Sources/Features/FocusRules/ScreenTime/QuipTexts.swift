/// The texts of ``Quips``, a row for each threshold. They are warm and never shame anybody.
let quipTexts: [[String]] = []
