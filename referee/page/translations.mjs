// Every text of the pages, in one table, in English, German and Dutch. {name} stands for a value.

/** Key -> the text in each language, in the order of `LANGUAGES` in texts.mjs. */
export const TEXTS = {
  // verdicts
  "verify": ["referee verify TRANSCRIPT", "referee verify PROTOKOLL", "referee verify VERSLAG"],
  "audit": ["referee audit VIEW", "referee audit ANSICHT", "referee audit OVERZICHT"],
  "checking": ["Checking…", "Wird geprüft …", "Wordt gecontroleerd…"],
  "abandoned": [
    "Abandoned by the host in round {round}, no result.",
    "Vom Spielleiter in Runde {round} abgebrochen, kein Ergebnis.",
    "Door de spelleider in ronde {round} afgebroken, geen uitslag.",
  ],
  "late rounds": [
    "Late rounds: {rounds} ({times}); protests: {protests}.",
    "Runden mit versäumter Frist: {rounds} ({times}); Proteste: {protests}.",
    "Rondes met gemiste termijn: {rounds} ({times}); protesten: {protests}.",
  ],
  "claims": [
    "Claims about this game: {claims}. A claim is a player's word, not a proof.",
    "Erklärungen dazu: {claims}. Sie sind das Wort der Spieler, kein Beweis.",
    "Verklaringen erbij: {claims}. Ze zijn het woord van de spelers, geen bewijs.",
  ],
  "draws checked": [
    "Draws, signatures, links, openings: checked",
    "Ziehungen, Unterschriften, Kettenglieder, Aufdeckungen: geprüft",
    "Trekkingen, handtekeningen, schakels, onthullingen: gecontroleerd",
  ],
  "draws recorded": [
    "Signatures, links, openings: checked. Draws: as the host recorded them; the transcript will prove them",
    "Unterschriften, Kettenglieder, Aufdeckungen: geprüft. Ziehungen: wie der Spielleiter sie notiert hat; das Protokoll wird sie beweisen",
    "Handtekeningen, schakels, onthullingen: gecontroleerd. Trekkingen: zoals de spelleider ze heeft genoteerd; het verslag zal ze bewijzen",
  ],
  "rules unchecked": ["Rules: not checked here", "Spielregeln: hier nicht geprüft", "Spelregels: hier niet gecontroleerd"],
  "use verify": [
    "This page does not know the rules. `{command}` replays every round.",
    "Diese Seite kennt die Spielregeln nicht. `{command}` spielt jede Runde nach.",
    "Deze pagina kent de spelregels niet. `{command}` speelt elke ronde na.",
  ],
  "bad file": ["Not valid", "Nicht in Ordnung", "Niet in orde"],
  "bad round": [
    "Round {round} is the first that is not valid",
    "Runde {round} ist die erste, die nicht in Ordnung ist",
    "Ronde {round} is de eerste die niet in orde is",
  ],
  "verdict": ["{where}: {words}", "{where}: {words}", "{where}: {words}"],
  "blames host": [
    "The host signed this: it is a proof against the host.",
    "Das hat der Spielleiter unterschrieben: Es ist ein Beweis gegen ihn.",
    "Dit heeft de spelleider ondertekend: het is een bewijs tegen de spelleider.",
  ],
  "blames nobody": [
    "This blames nobody: whoever passed the file on may have changed it. Ask for it again.",
    "Das belastet niemanden: Wer die Datei weitergab, kann sie verändert haben. Lass sie dir noch einmal schicken.",
    "Dit belast niemand: wie het bestand doorgaf, kan het veranderd hebben. Vraag er nog eens om.",
  ],
  "code": ["code {code}", "Code {code}", "code {code}"],
  "after bad": [
    "Later rounds are not shown: nothing in them is certain.",
    "Spätere Runden werden nicht gezeigt: Nichts darin ist sicher.",
    "Latere rondes worden niet getoond: niets daarin is zeker.",
  ],
  "positions checked": [
    "Figures: from positions that the host signed, compared here by hash",
    "Zahlen: aus Stellungen, die der Spielleiter unterschrieben hat, hier an ihrem Hash geprüft",
    "Cijfers: uit stellingen die de spelleider heeft ondertekend, hier gecontroleerd aan hun hash",
  ],
  "positions bad": [
    "The position of round {round} on this page is not the one that the host signed, so no figures are shown",
    "Die Stellung von Runde {round} auf dieser Seite ist nicht die, die der Spielleiter unterschrieben hat: Zahlen werden nicht gezeigt",
    "De stelling van ronde {round} op deze pagina is niet die welke de spelleider heeft ondertekend: er worden geen cijfers getoond",
  ],
  "maker": [
    "Stories, labels and pictures: from whoever made this page, not checked",
    "Erzählung, Beschriftung und Bilder: von dem, der diese Seite gemacht hat, nicht geprüft",
    "Verhaal, opschriften en beelden: van wie deze pagina heeft gemaakt, niet gecontroleerd",
  ],
  "maker aid": [
    "Stories, labels and pictures: from the host's program, not checked. What you sign are the fields.",
    "Erzählung, Beschriftung und Bilder: vom Programm des Spielleiters, nicht geprüft. Was du unterschreibst, sind die Felder.",
    "Verhaal, opschriften en beelden: van het programma van de spelleider, niet gecontroleerd. Wat je ondertekent, zijn de velden.",
  ],
  // proofs
  "proof title": ["A proof of an offence", "Der Beweis eines Verstoßes", "Het bewijs van een overtreding"],
  "proof proved": ["Proved.", "Bewiesen.", "Bewezen."],
  "proof altered": ["Nothing is proved.", "Nichts ist bewiesen.", "Er is niets bewezen."],
  "proof undecided": ["This cannot be decided here.", "Das lässt sich hier nicht entscheiden.", "Dit is hier niet te beslissen."],
  "proof words": ["{words}.", "{words}.", "{words}."],
  "proof round": ["Round {round}: {words}.", "Runde {round}: {words}.", "Ronde {round}: {words}."],
  "proof key": [
    "Whoever has the key {key} signed this, as the host of game {game}.",
    "Wer den Schlüssel {key} hat, hat das unterschrieben, als Spielleiter des Spiels {game}.",
    "Wie de sleutel {key} heeft, heeft dit ondertekend, als spelleider van spel {game}.",
  ],
  "proof person": [
    "A proof names a key, never a person: anybody can start a game under any names and cheat in it.",
    "Ein Beweis nennt einen Schlüssel, nie einen Menschen: Jeder kann ein Spiel beginnen, mit beliebigen Namen, und darin betrügen.",
    "Een bewijs noemt een sleutel, nooit een mens: iedereen kan een spel beginnen, met willekeurige namen, en erin valsspelen.",
  ],
  "proof nobody": [
    "This blames nobody: anybody could have made or changed this file.",
    "Das belastet niemanden: Jeder kann diese Datei gemacht oder verändert haben.",
    "Dit belast niemand: iedereen kan dit bestand gemaakt of veranderd hebben.",
  ],
  "proof rules": [
    "This page does not know the rules, so it cannot tell whether anything is wrong. `referee verify PROOF` judges the proof with the rules.",
    "Diese Seite kennt die Spielregeln nicht und kann darum nicht sagen, ob etwas falsch ist. `referee verify PROOF` beurteilt den Beweis mit den Regeln.",
    "Deze pagina kent de spelregels niet en kan dus niet zeggen of er iets fout is. `referee verify PROOF` beoordeelt het bewijs met de regels.",
  ],
  "proof missing": [
    "This file alone is not enough: see above what is missing.",
    "Diese Datei allein reicht nicht: Oben steht, was fehlt.",
    "Dit bestand alleen is niet genoeg: hierboven staat wat ontbreekt.",
  ],
  "counts": [
    "rounds: {rounds}, signatures: {signatures}, draws: {draws}, private openings: {openings}",
    "Runden: {rounds}, Unterschriften: {signatures}, Ziehungen: {draws}, private Aufdeckungen: {openings}",
    "rondes: {rounds}, handtekeningen: {signatures}, trekkingen: {draws}, privé-onthullingen: {openings}",
  ],
  // the game
  "game": ["Game {id}", "Spiel {id}", "Spel {id}"],
  "players": ["Players: {names}", "Es spielen: {names}", "Spelers: {names}"],
  "round of": ["Round {round} of {last}", "Runde {round} von {last}", "Ronde {round} van {last}"],
  "nothing dealt": [
    "Nothing has been dealt yet: all players are asked whether they agree to play.",
    "Noch ist nichts ausgeteilt: Alle werden gefragt, ob sie mitspielen.",
    "Er is nog niets gedeeld: iedereen wordt gevraagd of hij meespeelt.",
  ],
  "first": ["First round", "Erste Runde", "Eerste ronde"],
  "back": ["Previous round", "Eine Runde zurück", "Eén ronde terug"],
  "on": ["Next round", "Eine Runde weiter", "Eén ronde verder"],
  "last": ["Last round", "Letzte Runde", "Laatste ronde"],
  "slider": ["Round", "Runde", "Ronde"],
  "board": ["The board after round {round}", "Das Spielbrett nach Runde {round}", "Het bord na ronde {round}"],
  "larger": ["Larger", "Größer", "Groter"],
  "smaller": ["Smaller", "Kleiner", "Kleiner"],
  "story": ["What happened", "Was geschah", "Wat er gebeurde"],
  "story silent": ["There is no story for this round.", "Zu dieser Runde gibt es keine Erzählung.", "Bij deze ronde is er geen verhaal."],
  "only you": ["Only you know this", "Das weißt nur du", "Dit weet alleen jij"],
  "only they": ["What only {name} knew", "Was nur {name} wusste", "Wat alleen {name} wist"],
  "hands": ["Hands as they really were", "Die Hände, wie sie wirklich waren", "De handen, zoals ze werkelijk waren"],
  "own hand": [
    "Your hand, as the host told you and as checked here",
    "Deine Hand, wie der Spielleiter sie dir gesagt hat, hier geprüft",
    "Je hand, zoals de spelleider die je heeft verteld, hier gecontroleerd",
  ],
  "empty": ["empty", "leer", "leeg"],
  "hidden": ["{count} hidden", "{count} verdeckt", "{count} verborgen"],
  "hand named": ["{hand} of {name}", "{hand} von {name}", "{hand} van {name}"],
  "hand of": ["{name}: {hand}: {faces}", "{name}: {hand}: {faces}", "{name}: {hand}: {faces}"],
  "figures": ["Figures", "Zahlen", "Cijfers"],
  "figures now": ["All numbers in this position", "Alle Zahlen dieser Stellung", "Alle getallen van deze stelling"],
  "figure over time": ["{label} over time", "{label} im Lauf der Zeit", "{label} in de loop van de tijd"],
  "figure range": ["{label} ({low} – {high})", "{label} ({low} – {high})", "{label} ({low} – {high})"],
  "more figures": ["More figures", "Weitere Zahlen", "Meer cijfers"],
  "to act": ["To act: {who}", "Gefragt: {who}", "Aan de beurt: {who}"],
  "acts": ["{name} ({what})", "{name} ({what})", "{name} ({what})"],
  "bare answers": [
    "To send a confirmation, with nothing to choose: {who}",
    "Nur zu bestätigen, ohne etwas zu wählen: {who}",
    "Alleen te bevestigen, zonder iets te kiezen: {who}",
  ],
  "deadline": ["Deadline: {due}", "Frist: {due}", "Termijn: {due}"],
  "banks": ["Left in the time banks: {who}", "Auf den Zeitkonten: {who}", "Over op de tijdtegoeden: {who}"],
  "bank used": [
    "According to the host, {name} answered late in round {round}: {spent} was taken from the time bank, which has {left} left",
    "Laut Spielleiter kam die Antwort von {name} in Runde {round} zu spät: Vom Zeitkonto ging {spent} ab, es bleibt {left}",
    "Volgens de spelleider kwam het antwoord van {name} in ronde {round} te laat: van het tijdtegoed ging {spent} af, er blijft {left} over",
  ],
  "missed": ["{name} missed the deadline", "{name} hat die Frist versäumt", "{name} heeft de termijn gemist"],
  "takes over": ["{name} takes over the seat of {last}", "{name} übernimmt den Platz von {last}", "{name} neemt de plaats van {last} over"],
  "comes back": ["{name} comes back", "{name} kehrt zurück", "{name} komt terug"],
  "out": ["No longer asked: {who}", "Nicht mehr gefragt: {who}", "Niet meer gevraagd: {who}"],
  "over": ["The game is over.", "Das Spiel ist zu Ende.", "Het spel is afgelopen."],
  "over left": ["The game is over: the others have left.", "Das Spiel ist zu Ende: die anderen sind gegangen.", "Het spel is afgelopen: de anderen zijn vertrokken."],
  "over void": ["The game is void: it has run out of rounds.", "Das Spiel ist ungültig: ihm sind die Runden ausgegangen.", "Het spel is ongeldig: het heeft geen rondes meer."],
  "rank": ["{rank}. {name}", "{rank}. {name}", "{rank}. {name}"],
  "score": ["{rank}. {name} ({score})", "{rank}. {name} ({score})", "{rank}. {name} ({score})"],
  "marked out": ["{name}, out", "{name}, ausgeschieden", "{name}, uitgevallen"],
  "answers": ["Answers", "Antworten", "Antwoorden"],
  "answered": ["{name}: {fields}", "{name}: {fields}", "{name}: {fields}"],
  "bare": ["a confirmation", "nur eine Bestätigung", "alleen een bevestiging"],
  "resigns": ["leaves the game", "steigt aus", "stopt ermee"],
  "sealed": ["{fields} sealed", "{fields} versiegelt", "{fields} verzegeld"],
  "says": ["from now on {words}", "von jetzt an {words}", "vanaf nu {words}"],
  "protests": [
    "protests: had signed an answer for the round with the missed deadline",
    "protestiert: Für die Runde der versäumten Frist war eine Antwort unterschrieben",
    "protesteert: voor de ronde van de gemiste termijn was een antwoord ondertekend",
  ],
  "keys": [
    "Keys: ← and → step through the rounds, Home and End go to the first and last.",
    "Tasten: ← und → gehen eine Runde weiter, Pos1 und Ende zur ersten und letzten.",
    "Toetsen: ← en → gaan een ronde verder, Home en End naar de eerste en laatste.",
  ],
  "reading only": [
    "This page is only for reading. It never asks for a key: do not give your key to a page that somebody sent you.",
    "Diese Seite ist nur zum Lesen da. Sie fragt nie nach einem Schlüssel: Gib deinen keiner Seite, die dir jemand geschickt hat.",
    "Deze pagina is alleen om te lezen. Ze vraagt nooit om een sleutel: geef de jouwe niet aan een pagina die iemand je heeft gestuurd.",
  ],
  "language": ["Language", "Sprache", "Taal"],
  "moment": ["{year}-{month}-{day} {time} UTC", "{day}.{month}.{year} um {time} UTC", "{day}-{month}-{year} om {time} UTC"],
  // explaining the draws
  "why": [
    "The draws of this round, explained",
    "Die Ziehungen dieser Runde, erklärt",
    "De trekkingen van deze ronde, uitgelegd",
  ],
  "no draws": ["Nothing was drawn in this round.", "In dieser Runde wurde nichts gezogen.", "In deze ronde werd niets getrokken."],
  "played nothing": [
    "A player missed the deadline, so nothing was played or drawn: all players are asked again.",
    "Jemand hat die Frist versäumt, darum wurde nichts gespielt oder gezogen: Alle werden noch einmal gefragt.",
    "Iemand heeft de termijn gemist, daarom werd er niets gespeeld of getrokken: iedereen wordt opnieuw gevraagd.",
  ],
  "why envelopes": [
    "By answering, {who} opened the next sealed envelope (a link), and so did the host. Neither could be exchanged: all envelopes were fixed before the game.",
    "Mit der Antwort öffnete {who} den nächsten versiegelten Umschlag (ein Kettenglied), und der Spielleiter seinen. Keiner ließ sich austauschen: Alle Umschläge standen vor dem Spiel fest.",
    "Met het antwoord opende {who} de volgende verzegelde envelop (een schakel), en de spelleider de zijne. Geen ervan was te verwisselen: alle enveloppen lagen vóór het spel vast.",
  ],
  "why envelopes many": [
    "{who} each opened their next sealed envelope (a link), and so did the host. None could be exchanged: all envelopes were fixed before the game.",
    "{who} öffneten je den nächsten versiegelten Umschlag (ein Kettenglied), und der Spielleiter seinen. Keiner ließ sich austauschen: Alle Umschläge standen vor dem Spiel fest.",
    "{who} openden elk de volgende verzegelde envelop (een schakel), en de spelleider de zijne. Geen ervan was te verwisselen: alle enveloppen lagen vóór het spel vast.",
  ],
  "why nobody": [
    "Nobody answered; the host opened the next sealed envelope.",
    "Niemand antwortete; der Spielleiter öffnete seinen nächsten versiegelten Umschlag.",
    "Niemand antwoordde; de spelleider opende zijn volgende verzegelde envelop.",
  ],
  "why shaken": [
    "Combined with all links opened before, they give the accumulator, and that gives the seed of this round. What players choose does not affect it.",
    "Mit allen früher geöffneten Kettengliedern ergeben sie den Sammler, und der ergibt den Startwert dieser Runde. Was jemand wählt, ändert daran nichts.",
    "Samen met alle eerder geopende schakels geven ze de verzamelaar, en die geeft de startwaarde van deze ronde. Wat iemand kiest, verandert daar niets aan.",
  ],
  "why kept": [
    "Only seats whose keys the host keeps answered in this round, so the host could foresee these draws.",
    "In dieser Runde antworteten nur Plätze, deren Schlüssel der Spielleiter verwahrt: Er konnte diese Ziehungen vorhersehen.",
    "In deze ronde antwoordden alleen plaatsen waarvan de spelleider de sleutels bewaart: hij kon deze trekkingen voorzien.",
  ],
  "why common": [
    "This game uses common chance: draws come from a secret that the host knew, and committed to before the game.",
    "Dies ist ein Spiel mit gemeinsamem Zufall: Die Ziehungen kommen aus einem Geheimnis, auf das sich der Spielleiter vor dem Spiel festgelegt hat und das er kannte.",
    "Dit is een spel met gemeenschappelijk toeval: de trekkingen komen uit een geheim waarop de spelleider zich vóór het spel heeft vastgelegd en dat hij kende.",
  ],
  "die": ["A die with {sides} sides shows {values}.", "Ein Würfel mit {sides} Seiten zeigt {values}.", "Een dobbelsteen met {sides} zijden toont {values}."],
  "take": ["Drawn face up from {bag}: {faces}.", "Offen gezogen aus {bag}: {faces}.", "Open getrokken uit {bag}: {faces}."],
  "deal": ["Dealt face down from {bag} to {into}: {count}.", "Verdeckt ausgeteilt aus {bag} an {into}: {count}.", "Gedekt gedeeld uit {bag} aan {into}: {count}."],
  "lay-out": ["Laid out from {bag}: {faces}.", "Offen ausgelegt aus {bag}: {faces}.", "Open neergelegd uit {bag}: {faces}."],
  "lay-out-all": ["All laid out from {bag}: {faces}.", "Alles offen ausgelegt aus {bag}: {faces}.", "Alles open neergelegd uit {bag}: {faces}."],
  "lay-out-all face": [
    "All {face} laid out from {bag}: {faces}.",
    "Alles von der Art {face} offen ausgelegt aus {bag}: {faces}.",
    "Alles van de soort {face} open neergelegd uit {bag}: {faces}.",
  ],
  "give": [
    "{name} gives tokens face down from {bag} to {into}: {count}.",
    "{name} gibt etwas verdeckt aus {bag} an {into}: {count}.",
    "{name} geeft iets gedekt uit {bag} aan {into}: {count}.",
  ],
  "seek": [
    "{name} searches {bag}; face down to {into}: {count}.",
    "{name} sucht etwas in {bag}; verdeckt an {into}: {count}.",
    "{name} zoekt iets in {bag}; gedekt aan {into}: {count}.",
  ],
  "put": ["Put face up into {bag}: {faces}.", "Offen gelegt in {bag}: {faces}.", "Open gelegd in {bag}: {faces}."],
  "put under": ["Put face up under {bag}: {faces}.", "Offen gelegt unter {bag}: {faces}.", "Open gelegd onder {bag}: {faces}."],
  "shuffle": [
    "{bag} is resealed (tokens in it: {count}): nobody knows which token is where.",
    "{bag} wird neu versiegelt (Inhalt: {count}): Niemand weiß, was wo liegt.",
    "{bag} wordt opnieuw verzegeld (inhoud: {count}): niemand weet wat waar ligt.",
  ],
  "unseal": ["{name} reveals what was sealed: {fields}.", "{name} zeigt, was versiegelt war: {fields}.", "{name} toont wat verzegeld was: {fields}."],
  "nothing": ["nothing", "nichts", "niets"],
  "numbers": ["The numbers", "Die Zahlen dazu", "De getallen erbij"],
  "number link": [
    "link of {name}: hashed {steps} ×, it gives the link of round {since}",
    "Kettenglied von {name}: {steps} × gehasht ergibt es das von Runde {since}",
    "schakel van {name}: {steps} × gehasht geeft die van ronde {since}",
  ],
  "number host": [
    "link of the host: hashed {steps} ×, it gives the link of round {since}",
    "Kettenglied des Spielleiters: {steps} × gehasht ergibt es das von Runde {since}",
    "schakel van de spelleider: {steps} × gehasht geeft die van ronde {since}",
  ],
  "number acc": ["accumulator, from the previous one and these links", "Sammler, aus dem vorigen und diesen Kettengliedern", "verzamelaar, uit de vorige en deze schakels"],
  "number acc before": ["previous accumulator", "Sammler davor", "verzamelaar daarvoor"],
  "number seed": ["seed, from the accumulator", "Startwert, aus dem Sammler", "startwaarde, uit de verzamelaar"],
  "number draw": [
    "draw {number} from the seed, below {below}: {value}",
    "Ziehung {number} nach dem Startwert, unter {below}: {value}",
    "trekking {number} volgens de startwaarde, onder {below}: {value}",
  ],
  "number common": [
    "draw {count} from {what} for {actor}, below {below}: {value}",
    "Ziehung {count} von {what} für {actor}, unter {below}: {value}",
    "trekking {count} van {what} voor {actor}, onder {below}: {value}",
  ],
  "number unknown": ["known after the game", "nach dem Ende bekannt", "na afloop bekend"],
  "number top": ["the next token of the tail: no draw", "das Nächste vom Ende: keine Ziehung", "het volgende van het eind: geen trekking"],
  "number slot": ["slot {slot}: {face}", "Fach {slot}: {face}", "vak {slot}: {face}"],
  "number down": ["slot {slot}: face down", "Fach {slot}: verdeckt", "vak {slot}: gedekt"],
  "number leaf": [
    "its leaf, made from salt and face, was committed to before",
    "sein Blatt, das Salz und Inhalt ergeben, war vorher festgelegt",
    "zijn blad, dat zout en inhoud geven, lag van tevoren vast",
  ],
  "number open": ["was put there face up", "wurde offen dorthin gelegt", "werd daar open neergelegd"],
  "number entry": ["this entry, signed by the host", "dieser Eintrag, vom Spielleiter unterschrieben", "deze notitie, ondertekend door de spelleider"],
  // the player's page
  "player title": ["Player's page", "Spielerseite", "Spelerspagina"],
  "player lead": [
    "View, check and answer pbem-referee games. Nothing that you open leaves this page or stays in the browser.",
    "Spiele von pbem-referee ansehen, prüfen und beantworten. Nichts, was du öffnest, verlässt diese Seite, und nichts davon bleibt im Browser.",
    "Spellen van pbem-referee bekijken, controleren en beantwoorden. Niets wat je opent, verlaat deze pagina, en niets ervan blijft in de browser achter.",
  ],
  "open heading": ["2. Open mails and documents", "2. Mails und Schriftstücke öffnen", "2. Mails en stukken openen"],
  "open lead": [
    "A whole mail saved as a file, an offer, a view with its aid, a transcript, a proof: several at once if you like. Keys are not accepted here.",
    "Eine ganze Mail, als Datei gespeichert, ein Angebot, eine Ansicht mit ihrer Hilfsdatei, ein Protokoll, ein Beweis: gern mehrere auf einmal. Ein Schlüssel wird von hier nie übernommen.",
    "Een hele mail die als bestand is bewaard, een aanbod, een overzicht met zijn hulpbestand, een verslag, een bewijs: gerust meer tegelijk. Een sleutel wordt van hieruit nooit overgenomen.",
  ],
  "pick": ["Choose files", "Dateien wählen", "Bestanden kiezen"],
  "drop": ["or drop them here", "oder hierher ziehen", "of sleep ze hierheen"],
  "paste": ["or paste a mail or a block", "oder eine Mail oder einen Block einfügen", "of plak een mail of een blok"],
  "pasted": ["the pasted text", "das Eingefügte", "wat is geplakt"],
  "paste open": ["Open pasted text", "Eingefügtes öffnen", "Het geplakte openen"],
  "you heading": ["1. Your player's file", "1. Deine Spielerdatei", "1. Je spelersbestand"],
  "you none": [
    "No player's file is open. It holds your key and what this page must remember about your games. Open yours, or make one:",
    "Es ist keine Spielerdatei offen. In ihr steht dein Schlüssel, und was sich diese Seite von deinen Spielen merken muss. Öffne deine, oder mache eine:",
    "Er is geen spelersbestand open. Daarin staat je sleutel, en wat deze pagina van je spellen moet onthouden. Open het jouwe, of maak er een:",
  ],
  "pick own": ["Open your player's file or key", "Spielerdatei oder Schlüssel öffnen", "Spelersbestand of sleutel openen"],
  "drop own": [
    "or drop it here; keys are accepted nowhere else on this page",
    "oder hierher ziehen; nichts sonst auf dieser Seite nimmt einen Schlüssel an",
    "of sleep het hierheen; niets anders op deze pagina neemt een sleutel aan",
  ],
  "pick another": ["Open another of your files", "Eine andere deiner Dateien öffnen", "Een ander bestand van jou openen"],
  "own newer": [
    "{name}: a newer file of the same key. It is open now.",
    "{name}: eine neuere Datei desselben Schlüssels. Jetzt ist sie offen.",
    "{name}: een nieuwer bestand van dezelfde sleutel. Dat is nu open.",
  ],
  "own merged": [
    "{name}: another file of the same key. Each knew something that the other did not, so they were merged.",
    "{name}: eine weitere Datei desselben Schlüssels. Jede wusste etwas, was die andere nicht wusste, darum wurden sie zusammengeführt.",
    "{name}: nog een bestand van dezelfde sleutel. Elk wist iets wat het andere niet wist, daarom zijn ze samengevoegd.",
  ],
  "own same": [
    "{name}: this file knows the same as the open one.",
    "{name}: Diese Datei weiß dasselbe wie die offene.",
    "{name}: dit bestand weet hetzelfde als het open bestand.",
  ],
  "own older": [
    "{name}: an older file of the same key. It adds nothing to the open one.",
    "{name}: eine ältere Datei desselben Schlüssels. Sie fügt der offenen nichts hinzu.",
    "{name}: een ouder bestand van dezelfde sleutel. Het voegt niets toe aan het open bestand.",
  ],
  "own two games": [
    "Your files have seen two games from one offer (game {game}). Open both mails together: they prove it against the host.",
    "Deine Dateien haben zwei Spiele aus einem Angebot gesehen (Spiel {game}). Öffne beide Mails zusammen: Sie sind ein Beweis gegen den Spielleiter.",
    "Je bestanden hebben twee spellen uit één aanbod gezien (spel {game}). Open beide mails samen: ze zijn een bewijs tegen de spelleider.",
  ],
  "own two entries": [
    "Your files have seen two different entries for round {round} of game {game}. Open both mails together: they prove it against the host.",
    "Deine Dateien haben zwei verschiedene Einträge für Runde {round} des Spiels {game} gesehen. Öffne beide Mails zusammen: Sie sind ein Beweis gegen den Spielleiter.",
    "Je bestanden hebben twee verschillende notities voor ronde {round} van spel {game} gezien. Open beide mails samen: ze zijn een bewijs tegen de spelleider.",
  ],
  "own two answers": [
    "You have signed more than one answer for round {round} of game {game}. The first to reach the host counts.",
    "Du hast für Runde {round} des Spiels {game} mehr als eine Antwort unterschrieben. Es zählt die erste, die den Spielleiter erreicht.",
    "Je hebt voor ronde {round} van spel {game} meer dan één antwoord ondertekend. Het eerste dat de spelleider bereikt, telt.",
  ],
  "other asked": [
    "{file} holds a different key from the open one. A seat belongs to the key that joined: you cannot answer for it with another key.",
    "{file} enthält einen anderen Schlüssel als den offenen. Ein Platz gehört dem Schlüssel, der beigetreten ist: Mit einem anderen kannst du dort nicht antworten.",
    "{file} bevat een andere sleutel dan de open sleutel. Een plaats hoort bij de sleutel die is toegetreden: met een andere kun je daar niet antwoorden.",
  ],
  "other open": ["open now: {name}, key {key}", "jetzt offen: {name}, Schlüssel {key}", "nu open: {name}, sleutel {key}"],
  "other new": [
    "in this file: {name}, key {key}",
    "in dieser Datei: {name}, Schlüssel {key}",
    "in dit bestand: {name}, sleutel {key}",
  ],
  "other warning": [
    "Use it only if you made it yourself. Anybody else who has it can play in your place.",
    "Nimm ihn nur, wenn du ihn selbst gemacht hast. Wer ihn sonst noch hat, spielt an deiner Stelle.",
    "Gebruik hem alleen als je hem zelf hebt gemaakt. Wie hem ook heeft, speelt in jouw plaats.",
  ],
  "other unsaved": [
    "The open file is not saved. Save it first, then you can switch.",
    "Die offene Datei ist nicht gespeichert: Speichere sie erst, dann kannst du wechseln.",
    "Het open bestand is niet bewaard: bewaar het eerst, dan kun je wisselen.",
  ],
  "other keep": ["Keep {key}", "{key} behalten", "{key} houden"],
  "other use": ["Use {key} instead", "Stattdessen {key} nehmen", "In plaats daarvan {key} gebruiken"],
  "your name": ["Your name in the game", "Dein Name im Spiel", "Je naam in het spel"],
  "make key": ["Make a key", "Schlüssel machen", "Sleutel maken"],
  "you are": [
    "Your player's file is open: {name}, key {key}.",
    "Deine Spielerdatei ist offen: {name}, Schlüssel {key}.",
    "Je spelersbestand is open: {name}, sleutel {key}.",
  ],
  "you games": ["It remembers: {games}.", "Sie erinnert sich an: {games}.", "Het onthoudt: {games}."],
  "you no games": ["It remembers no games yet.", "Sie erinnert sich noch an kein Spiel.", "Het onthoudt nog geen spel."],
  "you game": ["{game}, round {round}", "{game}, Runde {round}", "{game}, ronde {round}"],
  "save player": ["Save your player's file", "Spielerdatei speichern", "Spelersbestand bewaren"],
  "save now": [
    "It has unsaved changes. Save it before you close this page: the page itself keeps nothing.",
    "Sie hat ungespeicherte Änderungen. Speichere sie, bevor du diese Seite schließt: Die Seite selbst behält nichts.",
    "Het heeft niet-bewaarde wijzigingen. Bewaar het voordat je deze pagina sluit: de pagina zelf bewaart niets.",
  ],
  "saved question": [
    "Did your browser save the file? It counts as saved only when you confirm it.",
    "Hat dein Browser die Datei gespeichert? Sie gilt erst als gespeichert, wenn du es bestätigst.",
    "Heeft je browser het bestand bewaard? Het geldt pas als bewaard als je het bevestigt.",
  ],
  "saved yes": ["I have saved it", "Ich habe sie gespeichert", "Ik heb het bewaard"],
  "saved as": ["Saved: {name}", "Gespeichert: {name}", "Bewaard: {name}"],
  "not saved": [
    "Nothing was saved: no location was chosen.",
    "Nichts wurde gespeichert: Es wurde kein Ort gewählt.",
    "Er is niets bewaard: er is geen plaats gekozen.",
  ],
  "cannot save": [
    "The file could not be written. Save it again, as a download.",
    "Die Datei ließ sich nicht schreiben. Speichere sie noch einmal, als Download.",
    "Het bestand kon niet worden geschreven. Bewaar het nog eens, als download.",
  ],
  "saved": [
    "Keep this file to yourself: whoever has it can play for you. Keep a backup.",
    "Behalte diese Datei für dich: Wer sie hat, spielt für dich. Hebe eine Kopie auf.",
    "Houd dit bestand voor jezelf: wie het heeft, speelt voor jou. Bewaar een kopie.",
  ],
  "opened heading": ["3. What you opened", "3. Was du geöffnet hast", "3. Wat je hebt geopend"],
  "opened nothing": ["Nothing yet.", "Noch nichts.", "Nog niets."],
  "file failed": ["{name}: {words}", "{name}: {words}", "{name}: {words}"],
  "names more": ["{names} and {count} more", "{names} und {count} weitere", "{names} en nog {count}"],
  "file large": [
    "{name}: too large for a file of a game, not read",
    "{name}: zu groß für eine Datei eines Spiels, darum nicht gelesen",
    "{name}: te groot voor een bestand van een spel, daarom niet gelezen",
  ],
  "files large": [
    "{name}: these files are too large together. Open fewer at a time",
    "{name}: Alle Dateien zusammen sind zu groß. Öffne weniger auf einmal",
    "{name}: alle bestanden samen zijn te groot. Open er minder tegelijk",
  ],
  "files many": [
    "{name}: too many files at once. Open fewer",
    "{name}: zu viele auf einmal. Öffne weniger",
    "{name}: te veel tegelijk. Open er minder",
  ],
  "file unread": [
    "{name}: this cannot be read. If it is a folder, open the files in it",
    "{name}: Das lässt sich nicht lesen. Ist es ein Ordner, öffne die Dateien darin",
    "{name}: dit kan niet worden gelezen. Is het een map, open dan de bestanden erin",
  ],
  "key in mail": [
    "{name}: this mail contains a key file, which was not opened. A key that somebody sends you is not yours: whoever has it can play in your place. Use the key that you made",
    "{name}: In dieser Mail ist eine Schlüsseldatei; sie wurde nicht geöffnet. Ein Schlüssel, den dir jemand schickt, ist nicht deiner: Wer ihn hat, spielt an deiner Stelle. Nimm den Schlüssel, den du gemacht hast",
    "{name}: in deze mail zit een sleutelbestand; het is niet geopend. Een sleutel die iemand je stuurt, is niet de jouwe: wie hem heeft, speelt in jouw plaats. Gebruik de sleutel die je zelf hebt gemaakt",
  ],
  "player in mail": [
    "{name}: this mail contains a player's file, which was not opened. A key that somebody sends you is not yours: whoever has it can play in your place. Use the file that you saved",
    "{name}: In dieser Mail ist eine Spielerdatei; sie wurde nicht geöffnet. Ein Schlüssel, den dir jemand schickt, ist nicht deiner: Wer ihn hat, spielt an deiner Stelle. Nimm die Datei, die du gespeichert hast",
    "{name}: in deze mail zit een spelersbestand; het is niet geopend. Een sleutel die iemand je stuurt, is niet de jouwe: wie hem heeft, speelt in jouw plaats. Gebruik het bestand dat je zelf hebt bewaard",
  ],
  "key elsewhere": [
    "{name}: this is a key file, which was not opened here. If you made it yourself, open it under 1",
    "{name}: Das ist eine Schlüsseldatei; sie wurde hier nicht geöffnet. Hast du sie selbst gemacht, öffne sie unter 1",
    "{name}: dit is een sleutelbestand; het is hier niet geopend. Heb je het zelf gemaakt, open het dan onder 1",
  ],
  "player elsewhere": [
    "{name}: this is a player's file, which was not opened here. If it is yours, open it under 1",
    "{name}: Das ist eine Spielerdatei; sie wurde hier nicht geöffnet. Ist es deine, öffne sie unter 1",
    "{name}: dit is een spelersbestand; het is hier niet geopend. Is het van jou, open het dan onder 1",
  ],
  "mail nothing": [
    "{name}: no document of pbem-referee found",
    "{name}: kein Schriftstück von pbem-referee gefunden",
    "{name}: geen stuk van pbem-referee gevonden",
  ],
  "block damaged": [
    "{name}: a block in it is damaged: {words}",
    "{name}: ein Block darin ist beschädigt: {words}",
    "{name}: een blok daarin is beschadigd: {words}",
  ],
  "offer title": ["An offer: {game}", "Ein Angebot: {game}", "Een aanbod: {game}"],
  "offer signed": [
    "signed by the host's key {key}",
    "unterschrieben mit dem Schlüssel {key} des Spielleiters",
    "ondertekend met de sleutel {key} van de spelleider",
  ],
  "offer seats": ["for {seats} players, rules {rules}", "für {seats} Spieler, Regeln {rules}", "met {seats} spelers, regels {rules}"],
  "offer option": ["option {name} = {value}", "Option {name} = {value}", "variant {name} = {value}"],
  "offer edition": ["edition: {name}", "Ausgabe: {name}", "uitgave: {name}"],
  "offer deadline": [
    "deadline: {deadline} for each answer, and {grace} of grace",
    "Frist {deadline} für jede Antwort, und {grace} Nachfrist",
    "termijn {deadline} voor elk antwoord, en {grace} respijt",
  ],
  "offer bank": [
    "time bank: each player can be late by {bank} in all, before the grace counts",
    "Zeitkonto: Alle dürfen insgesamt {bank} zu spät kommen, bevor die Nachfrist zählt",
    "tijdtegoed: iedereen mag in totaal {bank} te laat zijn, voordat het respijt telt",
  ],
  "offer no deadline": [
    "no deadlines: the host decides when an answer is too late",
    "keine Fristen: Der Spielleiter sagt, wann eine Antwort zu spät ist",
    "geen termijnen: de spelleider zegt wanneer een antwoord te laat is",
  ],
  "offer takeovers": [
    "seats can be taken over {count} times at most, by strangers once they have been vacant for {wait}",
    "Plätze können höchstens {count}-mal übernommen werden, von Fremden, wenn sie {wait} lang frei waren",
    "plaatsen kunnen hoogstens {count} keer worden overgenomen, door vreemden als ze {wait} vrij waren",
  ],
  "offer common": [
    "common chance: the host knows every draw in advance",
    "gemeinsamer Zufall: Der Spielleiter kennt jede Ziehung im Voraus",
    "gemeenschappelijk toeval: de spelleider kent elke trekking van tevoren",
  ],
  "join": ["Join this game", "Mitspielen", "Meespelen"],
  "join lead": [
    "By joining you agree to these terms and take part with your own key. The host never gets the key.",
    "Damit spielst du zu diesen Bedingungen mit, mit deinem eigenen Schlüssel. Der Spielleiter bekommt ihn nie.",
    "Hiermee speel je mee onder deze voorwaarden, met je eigen sleutel. De spelleider krijgt die nooit.",
  ],
  "joined": [
    "Signed: you are joining. Now send it to the host in one of three ways:",
    "Unterschrieben: Du spielst mit. Schicke es jetzt dem Spielleiter, auf einem von drei Wegen:",
    "Ondertekend: je speelt mee. Stuur het nu aan de spelleider, op een van drie manieren:",
  ],
  "need player": [
    "To join or answer, first open your player's file, or make a key above.",
    "Zum Mitspielen und Antworten öffne erst deine Spielerdatei, oder mache oben einen Schlüssel.",
    "Om mee te spelen of te antwoorden open je eerst je spelersbestand, of maak je hierboven een sleutel.",
  ],
  "public view": [
    "This is a public view: it belongs to no seat. You can read it but not answer it; ask the host for your own view.",
    "Das ist eine öffentliche Ansicht: sie gehört zu keinem Platz. Du kannst sie lesen, nicht beantworten; bitte den Spielleiter um deine eigene Ansicht.",
    "Dit is een openbaar overzicht: het hoort bij geen plaats. Je kunt het lezen, niet beantwoorden; vraag de spelleider om je eigen overzicht.",
  ],
  "other key": [
    "This view is for {name}'s key; the open player's file has another one. You can read it but not answer it.",
    "Diese Ansicht ist für den Schlüssel von {name}; die offene Spielerdatei hat einen anderen. Du kannst sie lesen, nicht beantworten.",
    "Dit overzicht is voor de sleutel van {name}; het open spelersbestand heeft een andere. Je kunt het lezen, niet beantwoorden.",
  ],
  "rests": [
    "Nothing is asked of you now: wait for the next view.",
    "Du wirst gerade nichts gefragt: Warte auf die nächste Ansicht.",
    "Je wordt nu niets gevraagd: wacht op het volgende overzicht.",
  ],
  "old view": [
    "You have already seen a newer view of this game: answer that one.",
    "Du hast eine neuere Ansicht dieses Spiels gesehen: Beantworte die.",
    "Je hebt een nieuwer overzicht van dit spel gezien: beantwoord dat.",
  ],
  "file behind": [
    "Your player's file is older than this mail: it does not know your answer in round {rounds}. If you have a newer file, open it under 1, and the two are merged. Otherwise play on, but this page can no longer check what you sealed in that answer.",
    "Deine Spielerdatei ist älter als diese Mail: Sie kennt deine Antwort in Runde {rounds} nicht. Hast du eine neuere Datei, öffne sie unter 1: Beide werden zusammengeführt. Sonst spiele weiter; diese Seite kann dann aber nicht mehr prüfen, was du in dieser Antwort versiegelt hast.",
    "Je spelersbestand is ouder dan deze mail: het kent je antwoord in ronde {rounds} niet. Heb je een nieuwer bestand, open het dan onder 1: beide worden samengevoegd. Speel anders verder; deze pagina kan dan niet meer controleren wat je in dat antwoord hebt verzegeld.",
  ],
  "your turn": ["Your answer", "Deine Antwort", "Je antwoord"],
  "asked ack": [
    "Do you agree to play this game?",
    "Willst du dieses Spiel spielen?",
    "Wil je dit spel spelen?",
  ],
  "asked bare": [
    "You are asked for a confirmation, so that the game goes on: there is nothing to choose.",
    "Du sollst nur bestätigen, damit es weitergeht: Es gibt nichts zu wählen.",
    "Je hoeft alleen te bevestigen, zodat het spel doorgaat: er is niets te kiezen.",
  ],
  "asked for": ["You are asked: {what}", "Du wirst gefragt: {what}", "Je wordt gevraagd: {what}"],
  "terms": ["What you agree to", "Dem stimmst du zu", "Waarmee je akkoord gaat"],
  "no aid": [
    "This view came without an aid, so this page cannot list the moves. Ask the host for one (an office attaches it; `referee apply --aid` writes it), or answer with `referee play`.",
    "Bei dieser Ansicht liegt keine Hilfsdatei, darum kann diese Seite die Züge nicht aufzählen. Bitte den Spielleiter darum (ein Spielbüro hängt sie an; `referee apply --aid` schreibt sie), oder antworte mit `referee play`.",
    "Bij dit overzicht ligt geen hulpbestand, daarom kan deze pagina de zetten niet opsommen. Vraag de spelleider erom (een spelbureau voegt het bij; `referee apply --aid` schrijft het), of antwoord met `referee play`.",
  ],
  "aid foreign": [
    "The aid does not belong to this view ({why}): it is ignored.",
    "Die Hilfsdatei gehört nicht zu dieser Ansicht ({why}): Sie wird ignoriert.",
    "Het hulpbestand hoort niet bij dit overzicht ({why}): het wordt genegeerd.",
  ],
  "aid game": ["another game", "ein anderes Spiel", "een ander spel"],
  "aid round": ["another round", "eine andere Runde", "een andere ronde"],
  "aid seat": ["another seat", "ein anderer Platz", "een andere plaats"],
  "aid question": ["it answers another question", "sie beantwortet eine andere Frage", "het beantwoordt een andere vraag"],
  "aid form": ["it has the wrong shape: {what}", "ihre Form stimmt nicht: {what}", "de vorm ervan klopt niet: {what}"],
  "aid large": [
    "it is too large for a page to show",
    "sie ist zu groß für eine Seite",
    "het is te groot voor een pagina",
  ],
  "aid sealed": [
    "one of its moves does not have the fields that are asked for",
    "ein Zug darin hat nicht die Felder, nach denen gefragt ist",
    "een zet erin heeft niet de velden waarnaar gevraagd is",
  ],
  "aid picture": [
    "The picture in the aid is not shown: it is too large, or has more than plain shapes.",
    "Das Bild in der Hilfsdatei wird weggelassen: Es ist zu groß, oder mehr als einfache Formen.",
    "Het beeld in het hulpbestand wordt weggelaten: het is te groot, of meer dan eenvoudige vormen.",
  ],
  "aid alone": [
    "{name}: an aid is no use by itself: open it together with its view.",
    "{name}: Eine Hilfsdatei allein nützt nichts: Öffne sie zusammen mit ihrer Ansicht.",
    "{name}: een hulpbestand alleen is niet bruikbaar: open het samen met zijn overzicht.",
  ],
  "choose": ["Choose a move", "Wähle einen Zug", "Kies een zet"],
  "more moves": ["Less common", "Selten gebraucht", "Zelden nodig"],
  "fields say": ["You would sign: {fields}", "Du würdest unterschreiben: {fields}", "Je zou ondertekenen: {fields}"],
  "number from to": ["({low} – {high})", "({low} – {high})", "({low} – {high})"],
  "how many": ["{name}, at most {most}", "{name}, höchstens {most}", "{name}, hoogstens {most}"],
  "rank names": [
    "Best first; leave out what you do not want (at least {least})",
    "Der Reihe nach, das Beste zuerst; lass weg, was du nicht willst (mindestens {least})",
    "Op volgorde, het beste eerst; laat weg wat je niet wilt (minstens {least})",
  ],
  "rank up": ["up", "höher", "hoger"],
  "rank down": ["down", "tiefer", "lager"],
  "rank add": ["add", "dazu", "erbij"],
  "rank drop": ["leave out", "weglassen", "weglaten"],
  "place": ["{name}: place {place}", "{name}: Platz {place}", "{name}: plaats {place}"],
  "unranked": ["{name}: left out", "{name}: weggelassen", "{name}: weggelaten"],
  "option signs": ["(signed as {value})", "(unterschrieben als {value})", "(ondertekend als {value})"],
  "left out": ["left out", "weggelassen", "weggelaten"],
  "choose all": ["make your choices above first", "triff erst die Auswahl darüber", "maak eerst de keuzes hierboven"],
  "standing orders": [
    "Standing orders (until you take them back)",
    "Daueransagen (bis du sie zurücknimmst)",
    "Vaste opdrachten (tot je ze intrekt)",
  ],
  "in force": ["In force now:", "Es gilt:", "Nu geldt:"],
  "say clash": [
    "these cannot go together in one answer: leave one out",
    "das geht nicht zusammen in einer Antwort: Lass etwas weg",
    "dit gaat niet samen in één antwoord: laat er iets uit weg",
  ],
  "protest": ["Protest against the missed deadline", "Gegen die versäumte Frist protestieren", "Protesteren tegen de gemiste termijn"],
  "protest about": [
    "You were timed out in round {round}, although you had signed an answer for it. A protest states that; it does not accuse the host of lying. It reveals nothing of what you sealed, but an open answer can be guessed from it.",
    "In Runde {round} galt deine Frist als versäumt, obwohl du eine Antwort unterschrieben hattest. Ein Protest hält das fest; er wirft dem Spielleiter keine Lüge vor. Er verrät nichts von dem, was du versiegelt hast; eine offene Antwort lässt sich aber daraus erraten.",
    "In ronde {round} gold je termijn als gemist, hoewel je een antwoord had ondertekend. Een protest legt dat vast; het beschuldigt de spelleider niet van liegen. Het verraadt niets van wat je hebt verzegeld, maar een open antwoord is eruit te raden.",
  ],
  "protest sure": [
    "State with this answer that I had signed one.",
    "Mit dieser Antwort festhalten, dass ich eine unterschrieben hatte.",
    "Met dit antwoord vastleggen dat ik er een had ondertekend.",
  ],
  "resign": ["Leave the game for good", "Endgültig aussteigen", "Voorgoed stoppen"],
  "resign sure": [
    "I leave this game for good; this cannot be undone.",
    "Ich steige endgültig aus diesem Spiel aus; das lässt sich nicht zurücknehmen.",
    "Ik stop voorgoed met dit spel; dat kan niet ongedaan worden gemaakt.",
  ],
  "you sign": ["You sign exactly this", "Genau das unterschreibst du", "Precies dit onderteken je"],
  "field": ["{path}: {value}", "{path}: {value}", "{path}: {value}"],
  "field sealed": [
    "{path}: {value} (sealed: only the host can read it until the game reveals it)",
    "{path}: {value} (versiegelt: Nur der Spielleiter kann es lesen, bis das Spiel es zeigt)",
    "{path}: {value} (verzegeld: alleen de spelleider kan het lezen tot het spel het toont)",
  ],
  "field bare": ["a confirmation: nothing is chosen", "nur eine Bestätigung: Nichts wird gewählt", "alleen een bevestiging: er wordt niets gekozen"],
  "field protest": [
    "protest: you had signed an answer for round {round}",
    "Protest: du hattest für Runde {round} eine Antwort unterschrieben",
    "protest: je had voor ronde {round} een antwoord ondertekend",
  ],
  "hand over": ["Hand over the seat", "Den Platz übergeben", "De plaats overdragen"],
  "hand over lead": [
    "Whoever has this key can take over your seat from now on, and will see everything that you were told. To take this back, enter your own key.",
    "Wer diesen Schlüssel hat, darf deinen Platz von jetzt an übernehmen und sieht alles, was dir gesagt wurde. Mit deinem eigenen Schlüssel nimmst du das zurück.",
    "Wie deze sleutel heeft, mag je plaats vanaf nu overnemen en ziet alles wat jou is verteld. Met je eigen sleutel neem je dat terug.",
  ],
  "hand over key": ["Public key (64 hex digits)", "Öffentlicher Schlüssel (64 Stellen)", "Publieke sleutel (64 tekens)"],
  "field handover": ["you hand over the seat to the key {key}", "du übergibst den Platz dem Schlüssel {key}", "je draagt de plaats over aan de sleutel {key}"],
  "field resign": ["you leave the game", "du steigst aus dem Spiel aus", "je stopt met het spel"],
  "field words": ["from now on: {value}", "von jetzt an: {value}", "van nu af aan: {value}"],
  "labels beside": [
    "What the host calls it (you do not sign this)",
    "So nennt es der Spielleiter (das unterschreibst du nicht)",
    "Zo noemt de spelleider het (dit onderteken je niet)",
  ],
  "quoted": ["“{text}”", "„{text}“", "“{text}”"],
  "free how": [
    "At most {longest} characters. The host says:",
    "Höchstens {longest} Zeichen. Der Spielleiter sagt:",
    "Hoogstens {longest} tekens. De spelleider zegt:",
  ],
  "free hidden": [
    "This text contains invisible characters. Type it instead of pasting it.",
    "Dieser Text enthält unsichtbare Zeichen. Tippe ihn, statt ihn einzufügen.",
    "Deze tekst bevat onzichtbare tekens. Typ hem in plaats van hem te plakken.",
  ],
  "free wrong": [
    "The host would refuse this: {why}",
    "Das würde der Spielleiter ablehnen: {why}",
    "Dit zou de spelleider weigeren: {why}",
  ],
  "free unjudged": [
    "This page cannot judge the text that you wrote: the host may still refuse it.",
    "Diese Seite kann deinen Text nicht beurteilen: Der Spielleiter kann ihn noch ablehnen.",
    "Deze pagina kan je tekst niet beoordelen: de spelleider kan hem nog weigeren.",
  ],
  "sign": ["Sign", "Unterschreiben", "Ondertekenen"],
  "signed": [
    "Signed. Now send it to the host in one of three ways:",
    "Unterschrieben. Schicke es jetzt dem Spielleiter, auf einem von drei Wegen:",
    "Ondertekend. Stuur het nu aan de spelleider, op een van drie manieren:",
  ],
  "send mail": ["Reply by mail", "Mit einer Mail antworten", "Per mail antwoorden"],
  "send mail no address": [
    "Write a mail (add the host's address)",
    "Mail schreiben (Adresse des Spielleiters einsetzen)",
    "Mail schrijven (vul het adres van de spelleider in)",
  ],
  "send mail to": [
    "The reply goes to {to}, who sent the document that you answer.",
    "Die Antwort geht an {to}: Von dort kam das beantwortete Schriftstück.",
    "Het antwoord gaat naar {to}: daarvandaan kwam het beantwoorde stuk.",
  ],
  "send file": ["Save as a file", "Als Datei speichern", "Als bestand bewaren"],
  "send block": ["Copy this block into a mail:", "Diesen Block in eine Mail kopieren:", "Kopieer dit blok in een mail:"],
  "copy": ["Copy the block", "Block kopieren", "Blok kopiëren"],
  "copied": ["Copied.", "Kopiert.", "Gekopieerd."],
  "signed before": [
    "You have already signed an answer to this view. The first to reach the host counts.",
    "Du hast schon eine Antwort auf diese Ansicht unterschrieben. Es zählt die erste, die den Spielleiter erreicht.",
    "Je hebt al een antwoord op dit overzicht ondertekend. Het eerste dat de spelleider bereikt, telt.",
  ],
  "sign again": ["Sign another answer anyway", "Trotzdem eine andere Antwort unterschreiben", "Toch een ander antwoord ondertekenen"],
  "send again": [
    "The answer that you signed before, to send again:",
    "Die Antwort, die du schon unterschrieben hast, um sie noch einmal zu schicken:",
    "Het antwoord dat je al hebt ondertekend, om het nog eens te sturen:",
  ],
  "word heading": ["Tell the host something about yourself", "Dem Spielleiter etwas über dich sagen", "De spelleider iets over jezelf zeggen"],
  "word lead": [
    "These statements work in games by mail. They are signed with your key and do not answer what you are asked.",
    "Diese Mitteilungen gelten in einem Spiel per Mail. Sie werden mit deinem Schlüssel unterschrieben und sind keine Antwort auf das, was du gefragt wirst.",
    "Deze mededelingen gelden in een spel per mail. Ze worden met je sleutel ondertekend en zijn geen antwoord op wat je wordt gevraagd.",
  ],
  "word what": ["Statement", "Mitteilung", "Mededeling"],
  "word away": ["I am away until (inclusive)", "Ich bin abwesend bis einschließlich", "Ik ben weg tot en met"],
  "word back": ["I am back", "Ich bin wieder da", "Ik ben terug"],
  "word zone": ["Show times in this time zone", "Nenne mir Zeiten in dieser Zeitzone", "Noem me tijden in deze tijdzone"],
  "word language": ["Write to me in this language", "Schreibe mir in dieser Sprache", "Schrijf me in deze taal"],
  "word address": ["Write to me at this address", "Schreibe mir an diese Adresse", "Schrijf me op dit adres"],
  "word signs": ["You will sign: {text}", "Du unterschreibst: {text}", "Je ondertekent: {text}"],
  "word sign": ["Sign this statement", "Diese Mitteilung unterschreiben", "Deze mededeling ondertekenen"],
  "transcript title": ["A finished game: {game}", "Ein beendetes Spiel: {game}", "Een afgelopen spel: {game}"],
  "transcript bare": [
    "A transcript holds no positions, and this page does not know the rules to work them out: here are answers, draws and hands. `{command}` makes a page with board, story and figures.",
    "Ein Protokoll enthält keine Stellungen, und diese Seite kennt die Spielregeln nicht, um sie zu berechnen: Hier stehen Antworten, Ziehungen und Hände. `{command}` macht eine Seite mit Spielbrett, Erzählung und Zahlen.",
    "Een verslag bevat geen stellingen, en deze pagina kent de spelregels niet om ze te berekenen: hier staan antwoorden, trekkingen en handen. `{command}` maakt een pagina met bord, verhaal en cijfers.",
  ],
  "together": ["Side by side", "Nebeneinander", "Naast elkaar"],
  "other move": [
    "A signed move of seat {seat} for round {round} of game {game}: {fields}",
    "Ein unterschriebener Zug von Platz {seat} für Runde {round} des Spiels {game}: {fields}",
    "Een ondertekende zet van plaats {seat} voor ronde {round} van spel {game}: {fields}",
  ],
  "other join": [
    "A signed join of {name} for offer {offer}",
    "Ein unterschriebener Beitritt von {name} zum Angebot {offer}",
    "Een ondertekende deelname van {name} voor aanbod {offer}",
  ],
  "other receipt": [
    "The host's receipt for a move of seat {seat} in round {round} of game {game}: {code}",
    "Die Quittung des Spielleiters für einen Zug von Platz {seat} in Runde {round} des Spiels {game}: {code}",
    "Het ontvangstbewijs van de spelleider voor een zet van plaats {seat} in ronde {round} van spel {game}: {code}",
  ],
  "other succession": [
    "{name} wants to take over seat {seat} in game {game}",
    "{name} will Platz {seat} in Spiel {game} übernehmen",
    "{name} wil plaats {seat} in spel {game} overnemen",
  ],
  "other return": [
    "The player of seat {seat} in game {game} wants to come back",
    "Wer auf Platz {seat} in Spiel {game} sitzt, will zurückkommen",
    "Wie op plaats {seat} in spel {game} zit, wil terugkomen",
  ],
  "other extension": [
    "The host's promise of more time: seat {seat} has until {until} to answer in round {round} of game {game}. Keep it",
    "Die Zusage des Spielleiters: Platz {seat} hat bis {until} Zeit für die Antwort in Runde {round} des Spiels {game}. Heb sie auf",
    "De toezegging van de spelleider: plaats {seat} heeft tot {until} tijd voor het antwoord in ronde {round} van spel {game}. Bewaar haar",
  ],
  "other claim": [
    "A claim about seat {seat}, round {round} of game {game}: its player says that the move was sent on {sent}",
    "Eine Erklärung zu Platz {seat}, Runde {round} des Spiels {game}: Der Spieler sagt, der Zug wurde am {sent} geschickt",
    "Een verklaring over plaats {seat}, ronde {round} van spel {game}: de speler zegt dat de zet is verstuurd op {sent}",
  ],
  "other ruling": ["The ruling: {text}", "Der Spruch: {text}", "De uitspraak: {text}"],
  "other word": [
    "A statement of seat {seat} to the host, in round {round} of game {game}: {text}",
    "Eine Mitteilung von Platz {seat} an den Spielleiter, in Runde {round} des Spiels {game}: {text}",
    "Een mededeling van plaats {seat} aan de spelleider, in ronde {round} van spel {game}: {text}",
  ],
  "subject": ["my answer, game {id}, round {round}", "meine Antwort, Spiel {id}, Runde {round}", "mijn antwoord, spel {id}, ronde {round}"],
  "subject join": ["I join the game {id}", "Ich spiele mit: {id}", "Ik speel mee: {id}"],
  "subject word": ["my statement, game {id}", "meine Mitteilung, Spiel {id}", "mijn mededeling, spel {id}"],
  "fault": [
    "This page has failed ({what}). Nothing was signed. Please report it.",
    "Diese Seite selbst hat versagt ({what}). Es wurde nichts unterschrieben. Bitte melde es.",
    "Deze pagina zelf heeft gefaald ({what}). Er is niets ondertekend. Meld het alsjeblieft.",
  ],
};

/** English sentences of the verifier and the modules beside it, which know nothing of pages -> German and Dutch.
 * {1} stands for a value; if several sentences match, the first counts. */
export const SENTENCES = {
  // the form of files
  "this is not valid UTF-8 text": ["das ist kein UTF-8-Text", "dit is geen UTF-8-tekst"],
  "{1} (character {2})": ["{1} (Zeichen {2})", "{1} (teken {2})"],
  "it is nested too deep": ["es ist zu tief verschachtelt", "het is te diep genest"],
  "this is not valid JSON": ["das ist kein JSON", "dit is geen JSON"],
  "this is not valid JSON in canonical form": [
    "das ist kein JSON in seiner einzigen Schreibweise",
    "dit is geen JSON in zijn enige schrijfwijze",
  ],
  "an integer is too large, or minus zero": [
    "eine ganze Zahl ist zu groß, oder minus null",
    "een geheel getal is te groot, of min nul",
  ],
  "a text does not end, or has a character that must be escaped": [
    "ein Text endet nicht, oder hat ein Zeichen, das umschrieben werden muss",
    "een tekst eindigt niet, of heeft een teken dat omschreven moet worden",
  ],
  "a character is not in canonical form": [
    "ein Zeichen ist nicht in seiner einzigen Schreibweise",
    "een teken is niet in zijn enige schrijfwijze",
  ],
  "a list does not end": ["eine Liste endet nicht", "een lijst eindigt niet"],
  "a name is missing": ["ein Name fehlt", "een naam ontbreekt"],
  "a name is not ASCII": ["ein Name ist nicht ASCII", "een naam is geen ASCII"],
  "names are not in order, or one occurs twice": [
    "Namen stehen nicht der Reihe nach, oder einer kommt zweimal vor",
    "namen staan niet op volgorde, of een ervan komt twee keer voor",
  ],
  "a value is missing": ["ein Wert fehlt", "een waarde ontbreekt"],
  "an object does not end": ["ein Objekt endet nicht", "een object eindigt niet"],
  "a body does not end": ["ein Inhalt endet nicht", "een inhoud eindigt niet"],
  "a body is not valid JSON": ["ein Inhalt ist kein JSON", "een inhoud is geen JSON"],
  "a text does not end": ["ein Text endet nicht", "een tekst eindigt niet"],
  "something follows the document": ["auf das Schriftstück folgt noch etwas", "na het stuk komt nog iets"],
  "the file is too large for its kind": [
    "die Datei ist zu groß für ihre Art",
    "het bestand is te groot voor zijn soort",
  ],
  "this browser or Node lacks Ed25519 or X25519: use a newer one": [
    "diesem Browser oder Node fehlt Ed25519 oder X25519: Nimm einen neueren",
    "deze browser of Node mist Ed25519 of X25519: gebruik een nieuwere",
  ],
  "this is not a genesis": ["das ist keine Gründungsurkunde", "dit is geen oprichtingsakte"],
  "this kind of file cannot be checked": [
    "diese Art von Datei lässt sich nicht prüfen",
    "dit soort bestand kan niet worden gecontroleerd",
  ],
  "this is not a valid offer": ["das ist kein gültiges Angebot", "dit is geen geldig aanbod"],
  "this is not a valid view": ["das ist keine gültige Ansicht", "dit is geen geldig overzicht"],
  "this is neither a player's file nor a key file": [
    "das ist keine Spielerdatei und keine Schlüsseldatei",
    "dit is geen spelersbestand en geen sleutelbestand",
  ],
  "expected: {1}": ["erwartet war: {1}", "verwacht werd: {1}"],
  "this is not a sealed part": ["das ist kein versiegelter Teil", "dit is geen verzegeld deel"],
  "this is not a join": ["das ist kein Beitritt", "dit is geen deelname"],
  "a join has the wrong shape": ["ein Beitritt hat eine andere Form", "een deelname heeft een andere vorm"],
  "the {1} has the wrong shape": ["{1}: die Form stimmt nicht", "{1}: de vorm klopt niet"],
  "the {1} is not signed by its key": [
    "{1}: nicht mit dem eigenen Schlüssel unterschrieben",
    "{1}: niet met de eigen sleutel ondertekend",
  ],
  "the box key is weak: anybody could open what is sealed with it": [
    "der Schlüssel zum Versiegeln ist schwach: Jeder könnte öffnen, was damit versiegelt ist",
    "de sleutel om te verzegelen is zwak: iedereen zou kunnen openen wat ermee verzegeld is",
  ],
  "the encrypted part of this move is missing, or was damaged in transit": [
    "der verschlüsselte Teil dieses Zuges fehlt oder wurde unterwegs beschädigt",
    "het versleutelde deel van deze zet ontbreekt of is onderweg beschadigd",
  ],
  "the sealed part of this move cannot be opened": [
    "der versiegelte Teil dieses Zuges lässt sich nicht öffnen",
    "het verzegelde deel van deze zet kan niet geopend worden",
  ],
  // blocks in mails
  "the end of the block is missing": ["das Ende des Blocks fehlt", "het einde van het blok ontbreekt"],
  "the beginning of the block is missing": ["der Anfang des Blocks fehlt", "het begin van het blok ontbreekt"],
  "the block begins as one kind and ends as another": [
    "der Block beginnt als eine Art und endet als eine andere",
    "het blok begint als de ene soort en eindigt als de andere",
  ],
  "the block is too long": ["der Block ist zu lang", "het blok is te lang"],
  "the last line of the block is missing, or the block contains something that does not belong there": [
    "die letzte Zeile des Blocks fehlt, oder es steht etwas darin, das nicht dazugehört",
    "de laatste regel van het blok ontbreekt, of er staat iets in dat er niet bij hoort",
  ],
  "a part of the block is missing": ["ein Teil des Blocks fehlt", "een deel van het blok ontbreekt"],
  "a part of the block is missing or was changed on the way": [
    "ein Teil des Blocks fehlt oder wurde unterwegs verändert",
    "een deel van het blok ontbreekt of is onderweg veranderd",
  ],
  // forms
  "this does not describe moves": ["das beschreibt keine Züge", "dit beschrijft geen zetten"],
  "a choice refers to parts that it does not have": [
    "eine Auswahl verweist auf Teile, die sie nicht hat",
    "een keuze verwijst naar delen die ze niet heeft",
  ],
  "this is a mail: a key is never taken from a mail": [
    "das ist eine Mail: Aus einer Mail wird nie ein Schlüssel übernommen",
    "dit is een mail: uit een mail wordt nooit een sleutel overgenomen",
  ],
  "these files belong to two different keys": ["das sind Dateien zweier Schlüssel", "dit zijn bestanden van twee sleutels"],
  "an expression has at most {1} characters": [
    "eine Rechnung hat höchstens {1} Zeichen",
    "een berekening heeft hoogstens {1} tekens",
  ],
  "'{1}' divides by 0": ["'{1}' teilt durch 0", "'{1}' deelt door 0"],
  "a card or an opening bracket is missing in '{1}'": [
    "in '{1}' fehlt eine Karte oder eine öffnende Klammer",
    "in '{1}' ontbreekt een kaart of een openingshaakje",
  ],
  "a closing bracket is missing in '{1}'": [
    "in '{1}' fehlt eine schließende Klammer",
    "in '{1}' ontbreekt een sluithaakje",
  ],
  "'=' makes no sense in '= {1}'": ["'=' ergibt in '= {1}' keinen Sinn", "'=' hoort niet in '= {1}'"],
  "'{1}' makes no sense in '{2}'": ["'{1}' ergibt in '{2}' keinen Sinn", "'{1}' hoort niet in '{2}'"],
  "the {1} on the table is not used": ["die {1} auf dem Tisch wird nicht benutzt", "de {1} op tafel wordt niet gebruikt"],
  "no card of your own is used": ["keine eigene Karte wird benutzt", "er wordt geen eigen kaart gebruikt"],
  "you have too few cards of value {1}": [
    "du hast zu wenige Karten mit dem Wert {1}",
    "je hebt te weinig kaarten met waarde {1}",
  ],
  "'{1}' makes {2}, not {3}": ["'{1}' ergibt {2}, nicht {3}", "'{1}' levert {2} op, niet {3}"],
  "choose something here": ["wähle hier etwas", "kies hier iets"],
  "this cannot be chosen now": ["das kann jetzt nicht gewählt werden", "dit kan nu niet worden gekozen"],
  "a whole number from {1} to {2}": ["eine ganze Zahl von {1} bis {2}", "een geheel getal van {1} tot {2}"],
  "{1}: a whole number from 0 to {2}": ["{1}: eine ganze Zahl von 0 bis {2}", "{1}: een geheel getal van 0 tot {2}"],
  "at least {1} of the names, each once": [
    "mindestens {1} der Namen, jeder einmal",
    "minstens {1} van de namen, elk één keer",
  ],
  "a text of 1 to {1} characters": ["ein Text von 1 bis {1} Zeichen", "een tekst van 1 tot {1} tekens"],
  "the sum is {1}: from {2} to {3}": ["die Summe ist {1}: von {2} bis {3}", "de som is {1}: van {2} tot {3}"],
  // the player
  "this key is locked with a passphrase, which a page cannot open: use `referee` with it": [
    "dieser Schlüssel ist mit einer Passphrase verschlossen, die eine Seite nicht öffnen kann: Nimm ihn mit `referee`",
    "deze sleutel is afgesloten met een wachtwoordzin, die een pagina niet kan openen: gebruik hem met `referee`",
  ],
  "the two halves of this key do not belong together": [
    "die beiden Hälften dieses Schlüssels gehören nicht zusammen",
    "de twee helften van deze sleutel horen niet bij elkaar",
  ],
  "a name has 1 to 40 visible characters, with no blanks around them": [
    "ein Name hat 1 bis 40 sichtbare Zeichen und keine Leerzeichen darum",
    "een naam heeft 1 tot 40 zichtbare tekens, en geen spaties eromheen",
  ],
  "this name has a character that is unknown here": [
    "dieser Name hat ein Zeichen, das hier unbekannt ist",
    "deze naam heeft een teken dat hier onbekend is",
  ],
  "a name cannot contain @ or a semicolon: in typed moves they mean something else": [
    "ein Name hat kein @ und keinen Strichpunkt: in getippten Zügen bedeuten sie etwas anderes",
    "een naam heeft geen @ en geen puntkomma: in getypte zetten betekenen ze iets anders",
  ],
  "a name cannot be just a number: in typed moves a number can stand for a seat": [
    "ein Name ist mehr als eine Zahl: in getippten Zügen kann sie für einen Platz stehen",
    "een naam is meer dan een getal: in getypte zetten kan dat voor een plaats staan",
  ],
  "this name mixes letters from several scripts": [
    "dieser Name mischt Buchstaben mehrerer Schriften",
    "deze naam mengt letters van verschillende schriften",
  ],
  "the host cannot take a seat with the same key: make another one": [
    "der Spielleiter kann nicht mit demselben Schlüssel mitspielen: Mache einen anderen",
    "de spelleider kan niet met dezelfde sleutel meespelen: maak een andere",
  ],
  "this is not the game that you saw before": [
    "das ist nicht das Spiel, das du vorher gesehen hast",
    "dit is niet het spel dat je eerder hebt gezien",
  ],
  "you are not asked for anything now: wait for the next view": [
    "du wirst gerade nichts gefragt: Warte auf die nächste Ansicht",
    "je wordt nu niets gevraagd: wacht op het volgende overzicht",
  ],
  "a player who leaves cannot give standing orders": [
    "wer geht, kann keine Daueransagen machen",
    "wie vertrekt, kan geen vaste opdrachten geven",
  ],
  "the game has not started yet: do not send the ack if you do not want to play": [
    "noch sitzt niemand: Bestätige nicht, wenn du nicht spielen willst",
    "nog zit er niemand: bevestig niet als je niet wilt spelen",
  ],
  "there is nothing to choose here": ["hier gibt es nichts zu wählen", "hier is niets te kiezen"],
  "choose a move": ["wähle einen Zug", "kies een zet"],
  "you have already signed another answer for this round": [
    "du hast für diese Runde schon eine andere Antwort unterschrieben",
    "je hebt voor deze ronde al een ander antwoord ondertekend",
  ],
  "this view is for another player's key": [
    "diese Ansicht ist für den Schlüssel eines anderen Spielers",
    "dit overzicht is voor de sleutel van een andere speler",
  ],
  "this is a public view: it belongs to no seat": [
    "das ist eine öffentliche Ansicht: sie gehört zu keinem Platz",
    "dit is een openbaar overzicht: het hoort bij geen plaats",
  ],
  "open the view first": ["öffne erst die Ansicht", "open eerst het overzicht"],
  "you have already seen a newer view of this game: use that": [
    "du hast schon eine neuere Ansicht dieses Spiels gesehen: Nimm die",
    "je hebt al een nieuwer overzicht van dit spel gezien: gebruik dat",
  ],
  "a statement has 1 to 200 characters": ["eine Mitteilung hat 1 bis 200 Zeichen", "een mededeling heeft 1 tot 200 tekens"],
  // the table
  "the host's key is weak: anybody could sign with it": [
    "der Schlüssel des Spielleiters ist schwach: Jeder könnte damit unterschreiben",
    "de sleutel van de spelleider is zwak: iedereen zou ermee kunnen ondertekenen",
  ],
  "the offer has a time bank and no deadline": [
    "das Angebot hat ein Zeitkonto und keine Frist",
    "het aanbod heeft een tijdtegoed en geen termijn",
  ],
  "the offer has grace and no deadline": [
    "das Angebot hat eine Nachfrist und keine Frist",
    "het aanbod heeft respijt en geen termijn",
  ],
  "a player's key is weak: anybody could sign with it": [
    "der Schlüssel eines Spielers ist schwach: Jeder könnte damit unterschreiben",
    "de sleutel van een speler is zwak: iedereen zou ermee kunnen ondertekenen",
  ],
  "a player has a name that is not allowed": [
    "ein Spieler hat einen Namen, der nicht erlaubt ist",
    "een speler heeft een naam die niet mag",
  ],
  "a join is for another offer": ["ein Beitritt gilt einem anderen Angebot", "een deelname is voor een ander aanbod"],
  "there is not one join for each seat": [
    "es gibt nicht für jeden Platz einen Beitritt",
    "er is niet voor elke plaats één deelname",
  ],
  "two players have the same key": ["zwei haben denselben Schlüssel", "twee hebben dezelfde sleutel"],
  "the genesis names a hand twice": [
    "die Gründungsurkunde nennt eine Hand zweimal",
    "de oprichtingsakte noemt een hand tweemaal",
  ],
  "two players have names that can be confused, or one has a name that tools refuse: do not play here": [
    "zwei Spieler haben Namen, die man verwechseln kann, oder einer hat einen, den Werkzeuge ablehnen: Spiele hier nicht mit",
    "twee spelers hebben namen die je kunt verwarren, of één heeft een naam die gereedschap weigert: speel hier niet mee",
  ],
  "nothing of a sealed answer is shown": [
    "von einer versiegelten Antwort wird nichts gezeigt",
    "van een verzegeld antwoord wordt niets getoond",
  ],
  "there is a blank around a body": [
    "um einen Inhalt steht ein Leerzeichen",
    "rond een inhoud staat een spatie",
  ],
  "this is a file of protocol version {1}: use a newer program": [
    "das ist eine Datei der Protokollversion {1}: Nimm ein neueres Programm",
    "dit is een bestand van protocolversie {1}: gebruik een nieuwer programma",
  ],
  "two players have the same name": ["zwei Spieler haben denselben Namen", "twee spelers hebben dezelfde naam"],
  "the contents of this game's bags are not known here": [
    "was in den Beuteln dieses Spiels liegt, ist hier nicht bekannt",
    "wat in de zakken van dit spel zit, is hier niet bekend",
  ],
  "these are not the bags of this game, as far as it is known here": [
    "das sind nicht die Beutel dieses Spiels, soweit es hier bekannt ist",
    "dit zijn niet de zakken van dit spel, voor zover het hier bekend is",
  ],
  // a round
  "an entry is missing, or belongs to another game": [
    "ein Eintrag fehlt, oder er ist von einem anderen Spiel",
    "er ontbreekt een notitie, of ze is van een ander spel",
  ],
  "the host signed an entry that follows a different one": [
    "der Spielleiter hat einen Eintrag unterschrieben, der auf einen anderen folgt",
    "de spelleider heeft een notitie ondertekend die op een andere volgt",
  ],
  "an answer is not what that player signed for this round": [
    "eine Antwort ist nicht das, was dieser Spieler für diese Runde unterschrieben hat",
    "een antwoord is niet wat die speler voor deze ronde heeft ondertekend",
  ],
  "the game was over before this round": [
    "das Spiel war vor dieser Runde zu Ende",
    "het spel was vóór deze ronde afgelopen",
  ],
  "seats are not in order": ["die Plätze sind nicht in ihrer Reihenfolge", "de plaatsen staan niet op volgorde"],
  "these are not the seats that were asked": [
    "das sind nicht die Plätze, die gefragt waren",
    "dit zijn niet de plaatsen die gevraagd waren",
  ],
  "the first round has no deadline to miss": [
    "die erste Runde hat keine Frist, die man versäumen könnte",
    "de eerste ronde heeft geen termijn om te missen",
  ],
  "without deadlines nobody can be timed out": [
    "ohne Fristen kann niemand eine versäumen",
    "zonder termijnen kan niemand er een missen",
  ],
  "the host did not abandon the game after this round": [
    "der Spielleiter hat das Spiel nicht nach dieser Runde abgebrochen",
    "de spelleider heeft het spel niet na deze ronde afgebroken",
  ],
  "you have not been timed out since your last answer": [
    "seit deiner letzten Antwort hast du keine Frist versäumt",
    "je hebt sinds je laatste antwoord geen termijn gemist",
  ],
  "a game that rests goes on with an answer": [
    "ein Spiel, das ruht, geht mit einer Antwort weiter",
    "een spel dat rust, gaat met een antwoord verder",
  ],
  "an answer does not have the form that was asked for": [
    "eine Antwort hat nicht die Form, nach der gefragt war",
    "een antwoord heeft niet de gevraagde vorm",
  ],
  "a link is not in its player's chain": [
    "ein Kettenglied ist nicht aus der Kette seines Spielers",
    "een schakel hoort niet in de keten van zijn speler",
  ],
  "the host's link is not in its chain": [
    "das Kettenglied des Spielleiters ist nicht aus seiner Kette",
    "de schakel van de spelleider hoort niet in zijn keten",
  ],
  "a deadline is stated where there is none, or is missing": [
    "eine Frist ist genannt, wo es keine gibt, oder nicht",
    "er is een termijn genoemd waar er geen is, of niet",
  ],
  "a deadline is not a valid time": [
    "eine Frist ist kein Zeitpunkt des Kalenders",
    "een termijn is geen tijdstip van de kalender",
  ],
  "time was used from the bank of a seat that did not answer, or twice": [
    "ein Zeitkonto wurde für einen Platz gebraucht, der nicht geantwortet hat, oder zweimal",
    "een tijdtegoed is gebruikt voor een plaats die niet heeft geantwoord, of tweemaal",
  ],
  "more time was used from a bank than was left in it": [
    "von einem Zeitkonto wurde mehr verbraucht, als darauf war",
    "van een tijdtegoed is meer gebruikt dan erop stond",
  ],
  "a player was timed out before the deadline": [
    "ein Spieler wurde vor Ablauf der Frist übergangen",
    "een speler werd vóór het einde van de termijn overgeslagen",
  ],
  "a hand that received tokens was not resealed": [
    "eine Hand, die etwas bekam, ist nicht neu versiegelt",
    "een hand die iets kreeg, is niet opnieuw verzegeld",
  ],
  "nobody takes a seat or comes back in the first round, at the end, or while a game rests": [
    "niemand übernimmt einen Platz oder kommt zurück in der ersten Runde, am Ende oder während ein Spiel ruht",
    "niemand neemt een plaats over of komt terug in de eerste ronde, aan het eind of terwijl een spel rust",
  ],
  "those who take a seat or come back are not in seat order": [
    "wer einen Platz übernimmt oder zurückkommt, steht nicht in der Reihenfolge der Plätze",
    "wie een plaats overneemt of terugkomt, staat niet in de volgorde van de plaatsen",
  ],
  "a seat is taken over, and its player comes back": [
    "ein Platz wird übernommen, und sein Spieler kommt zurück",
    "een plaats wordt overgenomen, en de speler ervan komt terug",
  ],
  "more seats are taken over than the offer allows": [
    "es werden mehr Plätze übernommen, als das Angebot erlaubt",
    "er worden meer plaatsen overgenomen dan het aanbod toestaat",
  ],
  "this is not a succession": [
    "das ist keine Übernahme",
    "dit is geen overname",
  ],
  "a succession is not signed by its own key": [
    "eine Übernahme ist nicht mit ihrem eigenen Schlüssel unterschrieben",
    "een overname is niet met haar eigen sleutel ondertekend",
  ],
  "a new player has a name that is not allowed": [
    "ein neuer Spieler hat einen Namen, der nicht erlaubt ist",
    "een nieuwe speler heeft een naam die niet is toegestaan",
  ],
  "the seat is not vacant, or became vacant in another entry": [
    "der Platz ist nicht frei oder wurde es in einem anderen Eintrag",
    "de plaats is niet vrij, of werd dat in een andere boeking",
  ],
  "a new player has a key or a name that somebody had in this game": [
    "ein neuer Spieler hat einen Schlüssel oder Namen, den in diesem Spiel schon jemand hatte",
    "een nieuwe speler heeft een sleutel of naam die in dit spel al iemand had",
  ],
  "the seat is not out, and its player named somebody else": [
    "der Platz ist nicht ausgeschieden, und sein Spieler hat jemand anderen benannt",
    "de plaats is niet uitgevallen, en de speler ervan heeft iemand anders genoemd",
  ],
  "the seat has not been vacant for long enough": [
    "der Platz ist noch nicht lange genug frei",
    "de plaats is nog niet lang genoeg vrij",
  ],
  "the player who comes back is not out because of missed deadlines": [
    "wer zurückkommt, ist nicht durch versäumte Fristen ausgeschieden",
    "wie terugkomt, is niet door gemiste termijnen uitgevallen",
  ],
  "the player who comes back did not sign that": [
    "wer zurückkommt, hat das nicht unterschrieben",
    "wie terugkomt, heeft dat niet ondertekend",
  ],
  "a seat was told too little or too much of what it has sealed": [
    "einem Platz wurde nicht gesagt, was er versiegelt hat, oder zu viel",
    "een plaats is niet verteld wat ze heeft verzegeld, of te veel",
  ],
  "what a seat was told is not what it had sealed": [
    "was einem Platz gesagt wurde, ist nicht, was er versiegelt hatte",
    "wat een plaats te horen kreeg, is niet wat die verzegeld had",
  ],
  "the offer has a time for taking over seats, and lets nobody take one over": [
    "das Angebot nennt eine Zeit für die Übernahme von Plätzen und lässt niemanden einen übernehmen",
    "het aanbod noemt een tijd voor het overnemen van plaatsen, en laat niemand er een overnemen",
  ],
  "no seat of this game can be handed over now": [
    "kein Platz dieses Spiels kann jetzt übergeben werden",
    "geen plaats van dit spel kan nu worden overgedragen",
  ],
  "a die shows more than it has sides": [
    "ein Würfel zeigt mehr, als er Seiten hat",
    "een dobbelsteen toont meer dan hij zijden heeft",
  ],
  "chance gives the die another value": [
    "der Zufall gibt dem Würfel einen anderen Wert",
    "het toeval geeft de dobbelsteen een andere waarde",
  ],
  "dice of one kind that follow each other are one operation": [
    "Würfel einer Art, die aufeinander folgen, sind ein Vorgang",
    "dobbelstenen van één soort die op elkaar volgen, zijn één handeling",
  ],
  "nothing is left to draw in {1}": ["in {1} ist nichts mehr zu ziehen", "in {1} is niets meer te trekken"],
  "another token lies on top of {1}": ["oben auf {1} liegt etwas anderes", "boven op {1} ligt iets anders"],
  "a token is not in {1}": ["etwas davon ist nicht in {1}", "iets daarvan zit niet in {1}"],
  "chance does not pick {1} out of {2}": ["der Zufall wählt {1} nicht aus {2}", "het toeval kiest {1} niet uit {2}"],
  "nothing is drawn from {1} in the round in which it was sealed": [
    "aus {1} wird in der Runde, in der es versiegelt wurde, nichts gezogen",
    "uit {1} wordt niets getrokken in de ronde waarin het werd verzegeld",
  ],
  "what this seat was told in this round is not in the view": [
    "was diesem Platz in dieser Runde gesagt wurde, steht nicht in der Ansicht",
    "wat deze plaats in deze ronde werd verteld, staat niet in het overzicht",
  ],
  "this seat should have been told {1}": [
    "diesem Platz hätte {1} gesagt werden müssen",
    "{1} had deze plaats verteld moeten worden",
  ],
  "{1} does not hold what this seat was told": [
    "in {1} liegt nicht, was diesem Platz gesagt wurde",
    "in {1} ligt niet wat deze plaats is verteld",
  ],
  "{1} no longer holds what it held": ["in {1} liegt nicht, was darin lag", "in {1} ligt niet wat erin lag"],
  "{1} does not hold {2}": ["in {1} liegt nicht {2}", "in {1} ligt niet {2}"],
  "there are more {1} than there can be": [
    "es gibt mehr {1}, als es geben kann",
    "er zijn meer {1} dan er kunnen zijn",
  ],
  "another of the equal tokens in {1} comes first": [
    "von Gleichem in {1} kommt ein anderes zuerst",
    "van wat gelijk is in {1} komt een ander eerst",
  ],
  "something in {1} was withheld": ["etwas aus {1} wurde zurückgehalten", "iets uit {1} werd achtergehouden"],
  "not in the order in which they lie": [
    "nicht in der Reihenfolge, in der sie liegen",
    "niet in de volgorde waarin ze liggen",
  ],
  "not the face that was asked for": ["etwas anderes, als verlangt war", "iets anders dan gevraagd was"],
  "there is no such sealed field": ["ein solches versiegeltes Feld gibt es nicht", "zo'n verzegeld veld bestaat niet"],
  "a token is given twice": ["etwas wird zweimal gegeben", "iets wordt twee keer gegeven"],
  "not the tokens that the answer names": ["nicht das, was die Antwort nennt", "niet wat het antwoord noemt"],
  "other tokens were given than were chosen": [
    "es wurde anderes gegeben als gewählt",
    "er werd iets anders gegeven dan gekozen",
  ],
  "not as they lie there": ["nicht, wie sie dort liegen", "niet zoals ze daar liggen"],
  "there is no such token": ["so etwas gibt es dort nicht", "zoiets is daar niet"],
  "one token of the container or none": ["eines aus dem Behälter oder keines", "één uit de houder of geen"],
  "another token comes first in the ranking": [
    "in der Rangfolge kommt etwas anderes zuerst",
    "in de rangorde komt iets anders eerst",
  ],
  "a token that was not asked for": ["etwas, nach dem nicht gefragt war", "iets waarnaar niet gevraagd was"],
  "what is shown is not what was sealed": [
    "was gezeigt wird, ist nicht das, was versiegelt wurde",
    "wat getoond wordt, is niet wat verzegeld werd",
  ],
  "a `put` without tokens is not an operation": ["nichts hinzulegen ist kein Vorgang", "niets neerleggen is geen handeling"],
  "{1} is not sealed as its next generation": [
    "{1} ist nicht als nächste Generation versiegelt",
    "{1} is niet als volgende generatie verzegeld",
  ],
  "{1} does not hold the same number of tokens as before": [
    "in {1} liegt eine andere Anzahl als vorher",
    "in {1} ligt een ander aantal dan eerst",
  ],
  "{1} was not sealed as M says": [
    "{1} wurde nicht so versiegelt, wie M es sagt",
    "{1} werd niet verzegeld zoals M zegt",
  ],
  "{1} was not filled as M says": ["{1} wurde nicht so gefüllt, wie M es sagt", "{1} werd niet gevuld zoals M zegt"],
  "`ask` does not name distinct seats of this table": [
    "`ask` nennt nicht verschiedene Plätze dieses Tisches",
    "`ask` noemt geen verschillende plaatsen van deze tafel",
  ],
  "the result does not follow from the scores": [
    "das Ergebnis folgt nicht aus den Punkten",
    "de uitslag volgt niet uit de punten",
  ],
  "somebody must be asked if, and only if, there is no result": [
    "jemand muss genau dann gefragt werden, wenn es kein Ergebnis gibt",
    "er moet precies dan iemand gevraagd worden als er geen uitslag is",
  ],
  "the game does not go on for seats that are out": [
    "für Plätze, die ausgeschieden sind, geht das Spiel nicht weiter",
    "voor plaatsen die eruit liggen, gaat het spel niet verder",
  ],
  "this round plays nothing": ["diese Runde spielt nichts", "deze ronde speelt niets"],
  "`ask` is not right": ["`ask` stimmt nicht", "`ask` klopt niet"],
  "`result` is not right": ["`result` stimmt nicht", "`result` klopt niet"],
  "`end` is not right": ["`end` stimmt nicht", "`end` klopt niet"],
  "the state after this round is not the one that the entry names": [
    "der Zustand nach dieser Runde ist nicht der, den der Eintrag nennt",
    "de toestand na deze ronde is niet die welke de notitie noemt",
  ],
  // views and transcripts
  "this view is for a seat that does not exist": [
    "diese Ansicht ist für einen Platz, den es nicht gibt",
    "dit overzicht is voor een plaats die niet bestaat",
  ],
  "a public view has private parts": [
    "eine öffentliche Ansicht hat private Teile",
    "een openbaar overzicht heeft privédelen",
  ],
  "a private part is for another game or seat": [
    "ein privater Teil ist für ein anderes Spiel oder einen anderen Platz",
    "een privédeel is voor een ander spel of een andere plaats",
  ],
  "private parts are not in the order of rounds": [
    "private Teile stehen nicht in der Reihenfolge der Runden",
    "privédelen staan niet op volgorde van de rondes",
  ],
  "the host told this seat something about a different entry": [
    "der Spielleiter hat diesem Platz von einem anderen Eintrag als diesem erzählt",
    "de spelleider heeft deze plaats over een andere notitie dan deze verteld",
  ],
  "there must be a position if, and only if, there is an entry": [
    "es gibt genau dann eine Stellung, wenn es einen Eintrag gibt",
    "er is precies dan een stelling als er een notitie is",
  ],
  "this is not the position": ["das ist nicht die Stellung", "dit is niet de stelling"],
  "a round that plays nothing changed it": [
    "eine Runde, die nichts spielt, hat sie verändert",
    "een ronde die niets speelt, heeft haar veranderd",
  ],
  "the standing orders in the position are not those that were given": [
    "in der Stellung stehen andere Daueransagen, als gesagt wurden",
    "in de stelling staan andere vaste opdrachten dan gezegd werden",
  ],
  "the common chance is not the one that the offer is bound to": [
    "der gemeinsame Zufall ist nicht der, den das Angebot bindet",
    "het gemeenschappelijke toeval is niet wat het aanbod bindt",
  ],
  "the secret M is not the one that the offer is bound to": [
    "das Geheimnis M ist nicht das, welches das Angebot bindet",
    "het geheim M is niet wat het aanbod bindt",
  ],
  "there are two sealed parts of one answer": [
    "es gibt zwei versiegelte Teile einer Antwort",
    "er zijn twee verzegelde delen van één antwoord",
  ],
  "the sealed part of an answer is missing, or does not fit": [
    "der versiegelte Teil einer Antwort fehlt, oder passt nicht",
    "het verzegelde deel van een antwoord ontbreekt, of past niet",
  ],
  "there is a sealed part of an answer that was never given": [
    "es gibt einen versiegelten Teil einer Antwort, die nie gegeben wurde",
    "er is een verzegeld deel van een antwoord dat nooit is gegeven",
  ],
  "the game in this transcript is not over": [
    "das Spiel in diesem Protokoll ist nicht zu Ende",
    "het spel in dit verslag is niet afgelopen",
  ],
  "by the bags that the aid names, {1}": [
    "nach den Beuteln, die die Hilfsdatei nennt: {1}",
    "volgens de zakken die het hulpbestand noemt: {1}",
  ],
  // other files
  "this is a host's game file, which knows every hidden card: do not show it to anyone": [
    "das ist die Spieldatei eines Spielleiters, die jede verdeckte Karte kennt: Zeige sie niemandem",
    "dit is het spelbestand van een spelleider, dat elke verborgen kaart kent: toon het aan niemand",
  ],
  "this is a secret key: never send it to anyone": [
    "das ist ein geheimer Schlüssel: Schicke ihn niemandem",
    "dit is een geheime sleutel: stuur hem aan niemand",
  ],
  "this is a player's file with a secret key: never send it to anyone": [
    "das ist eine Spielerdatei mit einem geheimen Schlüssel: Schicke sie niemandem",
    "dit is een spelersbestand met een geheime sleutel: stuur het aan niemand",
  ],
  "this is a ticket: what a player's program remembers of a game": [
    "das ist, was sich das eigene Programm eines Spielers von einem Spiel merkt",
    "dit is wat het eigen programma van een speler van een spel onthoudt",
  ],
  // good files
  "this {1} is signed by the key that it names": [
    "{1}, unterschrieben mit dem Schlüssel, der darin steht",
    "{1}, ondertekend met de sleutel die erin staat",
  ],
  "this claim is signed by the player whose move it is about; only the player says when it was sent": [
    "diese Erklärung ist von dem Spieler unterschrieben, um dessen Zug es geht; wann er geschickt wurde, sagt nur der Spieler",
    "deze verklaring is ondertekend door de speler om wiens zet het gaat; wanneer die is verstuurd, zegt alleen de speler",
  ],
  "this ruling binds: the offer that all joined names its key": [
    "dieser Schiedsspruch bindet: Das Angebot, dem alle beigetreten sind, nennt seinen Schlüssel",
    "deze uitspraak bindt: het aanbod waar iedereen aan meedoet, noemt haar sleutel",
  ],
  "this ruling is an opinion: no player agreed to it": [
    "dieser Schiedsspruch ist eine Meinung: Kein Spieler hat ihm zugestimmt",
    "deze uitspraak is een mening: geen speler heeft ermee ingestemd",
  ],
  "offer, joins and genesis are signed by their keys": [
    "Angebot, Beitritte und Gründungsurkunde sind mit ihren Schlüsseln unterschrieben",
    "aanbod, deelnames en oprichtingsakte zijn met hun sleutels ondertekend",
  ],
  "this is a {1}; its signature shows only beside a view of its game": [
    "{1}: Die Unterschrift zeigt sich erst neben einer Ansicht des Spiels",
    "{1}: de handtekening blijkt pas naast een overzicht van het spel",
  ],
  "draws are as recorded until the transcript proves them": [
    "die Ziehungen sind wie notiert, bis das Protokoll sie beweist",
    "de trekkingen zijn zoals genoteerd, tot het verslag ze bewijst",
  ],
  "this game uses common chance: the host knew every draw in advance": [
    "dieses Spiel hat gemeinsamen Zufall: Der Spielleiter kannte jede Ziehung im Voraus",
    "dit spel heeft gemeenschappelijk toeval: de spelleider kende elke trekking van tevoren",
  ],
  "the host keeps every key: draws are not protected": [
    "der Spielleiter verwahrt jeden Schlüssel: Die Ziehungen sind nicht geschützt",
    "de spelleider bewaart elke sleutel: de trekkingen zijn niet beschermd",
  ],
  "the host could foresee the draws of {1} rounds, in which only kept seats answered": [
    "der Spielleiter konnte Ziehungen vorhersehen, weil nur verwahrte Plätze antworteten; so viele Runden: {1}",
    "de spelleider kon trekkingen voorzien, omdat alleen bewaarde plaatsen antwoordden; zoveel rondes: {1}",
  ],
  "the files agree with each other": [
    "die Dateien stimmen miteinander überein",
    "de bestanden stemmen met elkaar overeen",
  ],
  // side by side
  "the host started two games from one offer": [
    "der Spielleiter hat aus einem Angebot zwei Spiele begonnen",
    "de spelleider is met één aanbod twee spellen begonnen",
  ],
  "the host signed two entries for one round": [
    "der Spielleiter hat für eine Runde zwei Einträge unterschrieben",
    "de spelleider heeft voor één ronde twee notities ondertekend",
  ],
  "the host refused a valid answer": [
    "der Spielleiter hat eine gültige Antwort abgewiesen",
    "de spelleider heeft een geldig antwoord geweigerd",
  ],
  "the host accepted an answer and then said that it never came": [
    "der Spielleiter hat eine Antwort angenommen und dann gesagt, sie sei nie gekommen",
    "de spelleider heeft een antwoord aangenomen en daarna gezegd dat het nooit kwam",
  ],
  "the host accepted an answer that is not in the entry": [
    "der Spielleiter hat eine Antwort angenommen, die der Eintrag nicht hat",
    "de spelleider heeft een antwoord aangenomen dat de notitie niet heeft",
  ],
  // proofs
  "the parts of this claim do not belong together, or a time in it is not valid": [
    "die Teile dieser Erklärung gehören nicht zusammen, oder eine Zeitangabe darin ist ungültig",
    "de delen van deze verklaring horen niet bij elkaar, of een tijd daarin is ongeldig",
  ],
  "more is needed: the state after the entry, which says who held the seat": [
    "es braucht mehr: den Zustand nach dem Eintrag, der sagt, wer den Platz innehatte",
    "er is meer nodig: de toestand na de notitie, die zegt wie de plaats had",
  ],
  "this key is weak: anybody could sign with it": [
    "dieser Schlüssel ist schwach: Jeder könnte damit unterschreiben",
    "deze sleutel is zwak: iedereen zou ermee kunnen ondertekenen",
  ],
  "the ruling does not name its files in order, or names one twice": [
    "der Schiedsspruch nennt seine Dateien nicht der Reihe nach oder eine doppelt",
    "de uitspraak noemt haar bestanden niet op volgorde of één dubbel",
  ],
  "the ruling does not rank the seats of the game": [
    "der Schiedsspruch ordnet nicht die Plätze des Spiels",
    "de uitspraak rangschikt niet de plaatsen van het spel",
  ],
  "the parts of this proof do not belong together: {1}": [
    "die Teile dieses Beweises gehören nicht zusammen: {1}",
    "de delen van dit bewijs horen niet bij elkaar: {1}",
  ],
  "nothing is shown without the rules of the game: {1}": [
    "ohne die Spielregeln ist nichts gezeigt: {1}",
    "zonder de spelregels is niets aangetoond: {1}",
  ],
  "the parts of this proof cannot be played": [
    "die Teile dieses Beweises lassen sich nicht nachspielen",
    "de delen van dit bewijs kunnen niet worden nagespeeld",
  ],
  "the parts of this proof are consistent: they show no offence": [
    "die Teile dieses Beweises sind zusammen in Ordnung: Sie zeigen keinen Verstoß",
    "de delen van dit bewijs zijn samen in orde: ze tonen geen overtreding",
  ],
  "offer and joins are valid; only `referee verify` can tell whether the bags are those of the game": [
    "Angebot und Beitritte sind in Ordnung; ob die Beutel die des Spiels sind, kann nur `referee verify` sagen",
    "aanbod en deelnames zijn in orde; of de zakken die van het spel zijn, kan alleen `referee verify` zeggen",
  ],
  "the two geneses do not come from the same offer": [
    "die zwei Gründungsurkunden sind nicht von demselben Angebot",
    "de twee oprichtingsakten zijn niet van hetzelfde aanbod",
  ],
  "the two entries are not for the same round": [
    "die zwei Einträge sind nicht von derselben Runde",
    "de twee notities zijn niet van dezelfde ronde",
  ],
  "the host signed two different entries for one round": [
    "der Spielleiter hat für eine Runde zwei verschiedene Einträge unterschrieben",
    "de spelleider heeft voor één ronde twee verschillende notities ondertekend",
  ],
  "what can be checked in this round is right; only `referee verify` can tell whether it follows the rules": [
    "was sich in dieser Runde prüfen lässt, ist in Ordnung; ob sie den Spielregeln folgt, kann nur `referee verify` sagen",
    "wat in deze ronde te controleren is, is in orde; of ze de spelregels volgt, kan alleen `referee verify` zeggen",
  ],
  "the receipts are not for the same round and seat": [
    "die Quittungen sind nicht von derselben Runde und demselben Platz",
    "de ontvangstbewijzen zijn niet van dezelfde ronde en plaats",
  ],
  "the entry is not for the round of the extension": [
    "der Eintrag ist nicht von der Runde der Verlängerung",
    "de regel is niet van de ronde van de verlenging",
  ],
  "an extension belongs to another game": [
    "eine Verlängerung gehört zu einem anderen Spiel",
    "een verlenging is van een ander spel",
  ],
  "the host gave a player more time and timed the player out before it was over": [
    "der Spielleiter gab einem Spieler mehr Zeit und überging ihn, bevor sie um war",
    "de spelleider gaf een speler meer tijd en sloeg hem over voordat die om was",
  ],
  "the entry is not for the round of the receipt": [
    "der Eintrag ist nicht von der Runde der Quittung",
    "de notitie is niet van de ronde van het ontvangstbewijs",
  ],
  "the receipt is not for this move": [
    "die Quittung ist nicht für diesen Zug",
    "het ontvangstbewijs is niet voor deze zet",
  ],
  "a receipt `{1}` does not say that a move is illegal": [
    "eine Quittung `{1}` sagt nicht, dass ein Zug verboten ist",
    "een ontvangstbewijs `{1}` zegt niet dat een zet verboden is",
  ],
  "the move answers another entry": [
    "der Zug beantwortet einen anderen Eintrag",
    "de zet beantwoordt een andere notitie",
  ],
  "by what is known here, {1}": ["nach dem, was hier bekannt ist: {1}", "naar wat hier bekend is: {1}"],
  "what can be checked in this part of the game is right; only `referee verify` can tell the rest": [
    "was sich in diesem Teil des Spiels prüfen lässt, ist in Ordnung; alles andere kann nur `referee verify` sagen",
    "wat in dit deel van het spel te controleren is, is in orde; al het andere kan alleen `referee verify` zeggen",
  ],
  "an entry belongs to another game": [
    "ein Eintrag ist von einem anderen Spiel",
    "een notitie is van een ander spel",
  ],
  "the entries do not follow each other": [
    "die Einträge folgen nicht aufeinander",
    "de notities volgen niet op elkaar",
  ],
  "a private part belongs to another round or game": [
    "ein privater Teil ist von einer anderen Runde oder einem anderen Spiel",
    "een privédeel is van een andere ronde of een ander spel",
  ],
  "the host told a player something about a different entry": [
    "der Spielleiter hat einem Spieler etwas zu einem anderen Eintrag gesagt",
    "de spelleider heeft een speler iets over een andere notitie verteld",
  ],
  "a receipt belongs to another game": [
    "eine Quittung ist von einem anderen Spiel",
    "een ontvangstbewijs is van een ander spel",
  ],
  "a move belongs to another game": ["ein Zug ist von einem anderen Spiel", "een zet is van een ander spel"],
  "nothing comes before the first round": ["vor der ersten Runde kommt nichts", "voor de eerste ronde komt niets"],
  "more is needed: the entry of round {1} with its state and position": [
    "es braucht mehr: den Eintrag von Runde {1} mit Zustand und Stellung",
    "er is meer nodig: de notitie van ronde {1} met toestand en stelling",
  ],
  "the state is not the one that the entry has the hash of": [
    "der Zustand ist nicht der, dessen Hash der Eintrag hat",
    "de toestand is niet die waarvan de notitie de hash heeft",
  ],
  "the position is not the one that the entry has the hash of": [
    "die Stellung ist nicht die, deren Hash der Eintrag hat",
    "de stelling is niet die waarvan de notitie de hash heeft",
  ],
  "more is needed: the proof of the round before, whose state cannot be read": [
    "es braucht mehr: den Beweis der Runde davor, deren Zustand sich nicht lesen lässt",
    "er is meer nodig: het bewijs van de ronde ervoor, waarvan de toestand niet te lezen is",
  ],
  "no game leads to this state": ["kein Spiel führt zu diesem Zustand", "geen enkel spel leidt tot deze toestand"],
  "a token does not fit": ["etwas Gezogenes passt nicht", "iets wat getrokken is, past niet"],
  "the host accepted two different moves of one player": [
    "der Spielleiter hat zwei verschiedene Züge eines Spielers angenommen",
    "de spelleider heeft twee verschillende zetten van één speler aangenomen",
  ],
  "the host accepted a move and also refused it": [
    "der Spielleiter hat einen Zug angenommen und abgewiesen",
    "de spelleider heeft een zet aangenomen en geweigerd",
  ],
  "the host had an answer and then said that it never came": [
    "der Spielleiter hatte eine Antwort und sagte dann, sie sei nie gekommen",
    "de spelleider had een antwoord en zei daarna dat het nooit kwam",
  ],
  "more is needed: what the player was told about hidden tokens": [
    "es braucht mehr: was dem Spieler von Verdecktem gesagt wurde",
    "er is meer nodig: wat de speler van het verborgene is verteld",
  ],
  "more is needed: what the player sealed in the move, as the player's program kept it": [
    "es braucht mehr: was der Spieler im Zug versiegelt hat, wie sein eigenes Programm es bewahrt hat",
    "er is meer nodig: wat de speler in de zet heeft verzegeld, zoals zijn eigen programma het heeft bewaard",
  ],
  "more is needed: the key with which the player encrypted the move, as the player's program kept it": [
    "es braucht mehr: den Schlüssel, mit dem der Spieler den Zug verschlüsselt hat, wie sein eigenes Programm ihn bewahrt hat",
    "er is meer nodig: de sleutel waarmee de speler de zet heeft versleuteld, zoals zijn eigen programma die heeft bewaard",
  ],
  "more is needed: with this key and these fields something else was encrypted": [
    "es braucht mehr: Mit diesem Schlüssel und diesen Feldern wurde etwas anderes verschlüsselt",
    "er is meer nodig: met deze sleutel en deze velden werd iets anders versleuteld",
  ],
  "the seat was asked nothing in this round": [
    "der Platz wurde in dieser Runde nichts gefragt",
    "de plaats is in deze ronde niets gevraagd",
  ],
  "the refusal was right: the move does not fit the question, or its chain": [
    "die Ablehnung war richtig: Der Zug passt nicht zur Frage oder nicht zu seiner Kette",
    "de weigering was terecht: de zet past niet bij de vraag, of niet bij zijn keten",
  ],
  "only `referee verify` can tell whether the refused move was legal": [
    "ob der abgewiesene Zug erlaubt war, kann nur `referee verify` sagen",
    "of de geweigerde zet toegestaan was, kan alleen `referee verify` zeggen",
  ],
  "the number of tokens given is not the number chosen": [
    "es wurde nicht so viel gegeben wie gewählt",
    "er werd niet zoveel gegeven als gekozen",
  ],
  "a seat was told about tokens that it did not get": [
    "einem Platz wurde etwas gesagt, das er nicht bekam",
    "een plaats werd iets verteld wat ze niet kreeg",
  ],
  // last, because it matches so much
  "{1} is not in {2}": ["{1} ist nicht in {2}", "{1} zit niet in {2}"],
  // a kind of document; in a game the word means something else
  "move": ["Zug", "zet"],
};

/** Words in documents: fields, faces, questions, kinds -> German and Dutch, by the glossaries of the games. No two have the
 * same translation: what is shown tells what is signed. What is not here is shown as it stands. */
export const WORDS = {
  // kinds of documents
  "offer": ["Angebot", "aanbod"], "join": ["Beitritt", "deelname"], "genesis": ["Gründungsurkunde", "oprichtingsakte"],
  "view": ["Ansicht", "overzicht"], "transcript": ["Protokoll", "verslag"], "entry": ["Eintrag", "notitie"],
  "private": ["privater Teil", "privédeel"], "move": ["verschieben", "verschuiven"], "word": ["Mitteilung", "mededeling"],
  "receipt": ["Quittung", "ontvangstbewijs"], "proof": ["Beweis", "bewijs"],
  // questions and actions
  "ack": ["ob du mitspielst", "of je meespeelt"], "link": ["Bestätigung", "bevestiging"], "turn": ["Zug", "beurt"],
  "finish": ["Abschluss", "afronding"], "act": ["Aktion", "actie"], "again": ["noch einmal", "nog eens"],
  "bid": ["Gebot", "bod"], "name": ["nennen", "noemen"], "trade": ["tauschen", "ruilen"],
  "collect": ["kassieren", "incasseren"], "find": ["entdecken", "ontdekken"], "play": ["ausspielen", "uitspelen"],
  "raid": ["Durchsuchung", "inval"], "swap": ["wechseln", "wisselen"], "spy": ["spionieren", "spioneren"],
  "quick": ["schnell tauschen", "snel ruilen"], "intervene": ["eingreifen", "ingrijpen"],
  "solve": ["lösen", "oplossen"], "target": ["Ziel", "doelwit"], "way": ["Weg", "weg"],
  "opponent": ["Gegner", "tegenstander"], "try": ["versuchen", "proberen"], "lose": ["abgeben", "afgeven"],
  "place": ["legen", "leggen"], "go": ["gehen", "gaan"], "enter": ["ins Spiel bringen", "in het spel brengen"],
  "wait": ["warten", "wachten"],
  "buy": ["kaufen", "kopen"], "sell": ["verkaufen", "verkopen"], "pass": ["passen", "passen"], "more": ["mehr", "meer"],
  "roll": ["würfeln", "gooien"], "take": ["nehmen", "nemen"], "process": ["aufbereiten", "verwerken"],
  "both": ["beides", "allebei"], "nothing": ["nichts", "niets"], "always": ["immer", "altijd"],
  "ask": ["fragen", "vragen"], "true": ["ja", "ja"], "false": ["nein", "nee"],
  // fields
  "do": ["Handlung", "handeling"], "kind": ["Art", "soort"], "amount": ["Betrag", "bedrag"],
  "field": ["Feld", "veld"], "source": ["von", "van"], "row": ["Reihe", "rij"], "first": ["zuerst", "eerst"],
  "second": ["danach", "daarna"], "before": ["davor", "vooraf"], "after": ["dahinter", "achteraf"],
  "hold": ["offen halten", "open houden"], "shares": ["Aktien", "aandelen"], "bars": ["Barren", "staven"],
  "mark": ["markieren", "markeren"], "drop": ["senken", "verlagen"], "extras": ["Zusätze", "extra's"],
  "card": ["Karte", "kaart"], "cards": ["Karten", "kaarten"], "good": ["Ware", "waar"], "goods": ["Waren", "waren"],
  "give": ["geben", "geven"], "number": ["Anzahl", "aantal"], "ranking": ["Rangfolge", "rangorde"],
  "sit_out": ["aussetzen", "overslaan"], "steps": ["Schritte", "stappen"], "then": ["dann", "dan"],
  "asked_from": ["gefragt ab", "gevraagd vanaf"], "expression": ["Rechnung", "berekening"], "piece": ["Stein", "pion"],
  "seat": ["Platz", "plaats"], "success": ["Erfolg", "succes"], "failure": ["Misserfolg", "mislukking"],
  "attempt": ["Versuch", "poging"], "goal": ["Zielfeld", "doel"], "colours": ["Farben", "kleuren"],
  "decline": ["nicht eingreifen", "niet ingrijpen"], "heads": ["an Köpfen", "bij hoofden"],
  "players": ["Spieler", "spelers"], "standing": ["Daueransagen", "vaste opdrachten"],
  // colours, goods, faces
  "yellow": ["gelb", "geel"], "blue": ["blau", "blauw"], "red": ["rot", "rood"], "green": ["grün", "groen"],
  "orange": ["orange", "oranje"], "black": ["schwarz", "zwart"], "silver": ["Silber", "zilver"], "glass": ["Glas", "glas"],
  "plastic": ["Kunststoff", "kunststof"], "paper": ["Papier", "papier"], "metal": ["Metall", "metaal"],
  "composite": ["Verbundstoff", "composiet"], "hammer": ["Hammer", "hamer"], "star": ["Stern", "ster"],
  "potatoes": ["Kartoffeln", "aardappelen"], "coffee": ["Kaffee", "koffie"], "flour": ["Mehl", "meel"],
  "butter": ["Butter", "boter"], "sugar": ["Zucker", "suiker"], "alte-rechnung": ["Alte Rechnung", "Alte Rechnung"],
  "limit": ["Limit", "Limit"], "neue-ware": ["Neue Ware", "Neue Ware"], "razzia": ["Razzia", "Razzia"],
  "schnelles-geschaeft": ["Schnelles Geschäft", "Schnelles Geschäft"], "spionage": ["Spionage", "Spionage"],
  "verdorbene-ware": ["Verdorbene Ware", "Verdorbene Ware"], "waren-knapp": ["Waren knapp", "Waren knapp"],
  "zwangstausch": ["Zwangstausch", "Zwangstausch"], "up": ["hinauf", "omhoog"], "down": ["hinunter", "omlaag"],
  "left": ["links", "links"], "right": ["rechts", "rechts"], "back": ["zurück", "terug"],
  "begin-again": ["von vorn", "opnieuw beginnen"], "decision": ["Entscheidung", "beslissing"],
  "forward": ["vorwärts", "vooruit"], "miss": ["Aussetzen", "beurt overslaan"], "reserve": ["Reserve", "reserve"],
  "stay": ["bleiben", "blijven"], "swap-chip": ["Chip wechseln", "fiche wisselen"],
  "chance": ["Zufallskarten", "kanskaarten"],
  // positions
  "bag": ["Beutel", "zak"], "bag_black": ["Schwarze im Beutel", "zwarte in de zak"],
  "counter": ["Silberleiste", "zilverteller"], "debt": ["Schuld", "schuld"], "gold": ["Gold", "goud"],
  "due": ["fällig", "verschuldigd"], "known": ["bekannt", "bekend"], "unknown": ["unbekannt", "onbekend"],
  "market": ["Markt", "markt"], "money": ["Geld", "geld"], "price_changes": ["Preisänderungen", "prijswijzigingen"],
  "prices": ["Kurse", "koersen"], "purchase": ["Kaufleiste", "aankoopstrook"],
  "sale": ["Verkaufsleiste", "verkoopstrook"],
  "sale_black": ["Schwarze der Verkaufsleiste", "zwarte van de verkoopstrook"],
  "silver_strip": ["Silberkaufleiste", "zilverstrook"], "stage": ["Stufe", "fase"],
  "stage_black": ["Schwarze der Stufe", "zwarte van de fase"], "strip": ["Leiste", "strook"],
  "subsidies": ["Subventionen", "subsidies"], "supply_black": ["Schwarze im Vorrat", "zwarte in de voorraad"],
  "since": ["seit der Preisänderung", "sinds de prijswijziging"], "trades": ["gehandelt", "gehandeld"],
  "traded": ["getauscht", "geruild"], "traded_in": ["eingetauscht", "ingeruild"],
  "finisher": ["wer beendet hat", "wie heeft beëindigd"], "full": ["voll", "vol"],
  "passes": ["gepasst", "gepast"], "bank": ["Bank", "bank"],
  "delivery": ["Anlieferungsbereich", "aanvoerzone"], "dice": ["Farbwürfel", "kleurdobbelstenen"],
  "idle": ["ohne Wirkung", "zonder gevolg"], "lot": ["Versteigertes", "wat geveild wordt"],
  "owner": ["Besitzer", "eigenaar"], "pieces": ["Stücke", "stukken"],
  "processing": ["Aufbereitungsbereich", "verwerkingszone"], "card_pile": ["Kartenstapel", "kaartenstapel"],
  "card_under": ["unter dem Kartenstapel", "onder de kaartenstapel"], "goods_pile": ["Warenstapel", "warenstapel"],
  "goods_under": ["unter dem Warenstapel", "onder de warenstapel"], "half": ["Durchgang", "speelronde"],
  "in_force": ["gültig", "van kracht"], "luxury": ["Luxus", "luxe"], "marker": ["Kursanzeiger", "koersaanduider"],
  "played": ["ausgespielt", "uitgespeeld"], "sitting_out": ["setzen aus", "slaan over"],
  "spoiled": ["verdorben", "bedorven"], "start": ["Start", "begin"], "wanted": ["gesucht", "gevraagd"],
  "at": ["auf", "op"], "by": ["durch", "door"], "chance_pile": ["Zufallsstapel", "kansstapel"],
  "chance_under": ["unter dem Zufallsstapel", "onder de kansstapel"], "chips": ["Chips", "fiches"],
  "hand": ["Hand", "hand"], "heading": ["Laufrichtung", "looprichting"], "home": ["im Ziel", "thuis"],
  "leaving": ["Abgang", "vertrek"], "misses": ["auszusetzen", "over te slaan"], "points": ["Punkte", "punten"],
  "slot": ["Fach", "vak"], "success_pile": ["Erfolgsstapel", "successtapel"],
  "success_under": ["unter dem Erfolgsstapel", "onder de successtapel"], "table": ["Tisch", "tafel"],
  "task": ["Aufgabe", "opgave"], "throw": ["Wurf", "worp"], "turns": ["Züge", "beurten"], "value": ["Wert", "waarde"],
  // options
  "special_cards": ["Spezialaktionen", "speciale kaarten"], "liquidation": ["Liquidationswert", "liquidatiewaarde"],
  "expert": ["Expertenspiel", "expertspel"], "hinterlistig": ["Hinterlistig", "Hinterlistig"],
  "neue_ziele": ["Neue Ziele", "Neue Ziele"], "zufallsziele": ["Zufallsziele", "Zufallsziele"],
  "reserve_leaves": ["Reserve geht ab", "reserve gaat weg"],
  "may_enter": ["Einsetzen freigestellt", "inzetten mag"], "refill": ["Auffüllen", "aanvullen"],
};
