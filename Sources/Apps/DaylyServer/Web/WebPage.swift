/// The parts of the shell that differ by address: the words for messengers, search engines and readers without JavaScript, which stay on
/// the screen until the program draws its own.
struct WebPage: Sendable {
    var language = PageLanguage.english.rawValue
    /// The title, and further tags of the head.
    var head = """
        <title>Dayly</title>
        <meta name="description" content="\(InvitationWords.english.about)">
        """
    /// The first content of the screen's element.
    var screen = ""
    /// The modules of the screens that come next here. A browser asks for them all at once, and not for each after the one that
    /// imports it.
    var screens: [String] = []
    /// The address as the program knows it, where somebody spelled it differently.
    var path = ""

    /// - Parameter shell: with the places of this page's values, which are HTML.
    func filled(into shell: String) -> String {
        shell.replacing("{{language}}", with: language).replacing("{{path}}", with: path)
            .replacing("<!-- head -->", with: head).replacing("<!-- screen -->", with: screen)
    }
}
