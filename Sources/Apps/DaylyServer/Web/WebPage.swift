/// The parts of the shell that differ by address: the words for messengers, search engines and readers without JavaScript, which stay on
/// the screen until the program draws its own.
struct WebPage: Sendable {
    var language = PageLanguage.english.rawValue
    var title = "Dayly"
    /// Tags of the head.
    var head = "<meta name=\"description\" content=\"\(InvitationWords.english.about)\">"
    /// The first content of the screen's element.
    var screen = ""
    /// The address as the program knows it, where somebody spelled it differently.
    var path = ""

    /// - Parameter shell: with the words `{{…}}` of this page. All values are HTML.
    func filled(into shell: String) -> String {
        shell.replacing("{{language}}", with: language).replacing("{{title}}", with: title)
            .replacing("{{head}}", with: head).replacing("{{path}}", with: path)
            .replacing("{{screen}}", with: screen)
    }
}
