; The Windows installer: for this user only, so that it needs no administrator.
; Made by base-station/release/run with VERSION, FILES and OUT defined.
Unicode true
; The program is for 64 bits, and so is its installer.
Target amd64-unicode
Name "Byestand ${VERSION}"
OutFile "${OUT}"
InstallDir "$LOCALAPPDATA\Programs\Byestand"
InstallDirRegKey HKCU "Software\Byestand" "Folder"
RequestExecutionLevel user
SetCompressor /SOLID lzma
; The time of the commit stands on the files already.
SetDateSave on

!include "MUI2.nsh"
!define MUI_FINISHPAGE_RUN "$INSTDIR\byestand.exe"
!define MUI_FINISHPAGE_RUN_PARAMETERS "serve --open"
!insertmacro MUI_PAGE_DIRECTORY
!insertmacro MUI_PAGE_INSTFILES
!insertmacro MUI_PAGE_FINISH
!insertmacro MUI_UNPAGE_CONFIRM
!insertmacro MUI_UNPAGE_INSTFILES
!insertmacro MUI_LANGUAGE "English"
!insertmacro MUI_LANGUAGE "German"
!insertmacro MUI_LANGUAGE "French"
!insertmacro MUI_LANGUAGE "Dutch"

!define UNINSTALL "Software\Microsoft\Windows\CurrentVersion\Uninstall\Byestand"

; A program that runs can't be replaced or taken away on Windows: what would stay is half of two versions.
!macro ASK_TO_END where
Function ${where}AskToEnd
  again:
  IfFileExists "$INSTDIR\byestand.exe" 0 ended
  ClearErrors
  FileOpen $0 "$INSTDIR\byestand.exe" a
  IfErrors runs
  FileClose $0
  Goto ended
  runs:
  MessageBox MB_RETRYCANCEL|MB_ICONEXCLAMATION "$(RUNS)" /SD IDCANCEL IDRETRY again
  SetErrorLevel 3
  Quit
  ended:
FunctionEnd
!macroend
LangString RUNS ${LANG_ENGLISH} "Byestand is running. End it first (on its page: More, End Byestand), then choose Retry. Nothing has been changed yet."
LangString RUNS ${LANG_GERMAN} "Byestand läuft noch. Beenden Sie es zuerst (auf seiner Seite: Mehr, Byestand beenden), dann Wiederholen. Noch ist nichts geändert."
LangString RUNS ${LANG_FRENCH} "Byestand est en marche. Quittez-le d’abord (sur sa page : Plus, Quitter Byestand), puis Réessayer. Rien n’est encore changé."
LangString RUNS ${LANG_DUTCH} "Byestand draait nog. Sluit het eerst af (op de pagina: Meer, Byestand afsluiten), daarna Opnieuw. Er is nog niets veranderd."
!insertmacro ASK_TO_END ""
!insertmacro ASK_TO_END "un."

Section "Byestand" program
  SectionIn RO
  Call AskToEnd
  SetOutPath "$INSTDIR"
  File "${FILES}\*"
  WriteUninstaller "$INSTDIR\uninstall.exe"
  WriteRegStr HKCU "Software\Byestand" "Folder" "$INSTDIR"
  WriteRegStr HKCU "${UNINSTALL}" "DisplayName" "Byestand"
  WriteRegStr HKCU "${UNINSTALL}" "DisplayVersion" "${VERSION}"
  WriteRegStr HKCU "${UNINSTALL}" "UninstallString" '"$INSTDIR\uninstall.exe"'
  CreateDirectory "$SMPROGRAMS\Byestand"
  CreateShortcut "$SMPROGRAMS\Byestand\Byestand.lnk" "$INSTDIR\byestand.exe" "serve --open"
  CreateShortcut "$SMPROGRAMS\Byestand\Practice evening.lnk" "$INSTDIR\byestand.exe" "demo --open"
  CreateShortcut "$SMPROGRAMS\Byestand\Uninstall.lnk" "$INSTDIR\uninstall.exe"
SectionEnd

; The club's data stays: it lies in the user's own folder and is not ours to delete.
Section "Uninstall"
  Call un.AskToEnd
  Delete "$INSTDIR\byestand.exe"
  Delete "$INSTDIR\README.md"
  Delete "$INSTDIR\LICENSE-MIT"
  Delete "$INSTDIR\LICENSE-APACHE"
  Delete "$INSTDIR\LICENCES.txt"
  Delete "$INSTDIR\parts.cdx.json"
  Delete "$INSTDIR\Start Byestand.cmd"
  Delete "$INSTDIR\Practice evening.cmd"
  Delete "$INSTDIR\uninstall.exe"
  RMDir "$INSTDIR"
  Delete "$SMPROGRAMS\Byestand\Byestand.lnk"
  Delete "$SMPROGRAMS\Byestand\Practice evening.lnk"
  Delete "$SMPROGRAMS\Byestand\Uninstall.lnk"
  RMDir "$SMPROGRAMS\Byestand"
  ; Whoever ticked "Start with this computer" on the page has it there.
  Delete "$SMSTARTUP\Byestand.cmd"
  DeleteRegKey HKCU "${UNINSTALL}"
  DeleteRegKey HKCU "Software\Byestand"
SectionEnd
