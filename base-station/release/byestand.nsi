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

Section "Byestand" program
  SectionIn RO
  SetOutPath "$INSTDIR"
  File "${FILES}\*"
  WriteUninstaller "$INSTDIR\uninstall.exe"
  WriteRegStr HKCU "Software\Byestand" "Folder" "$INSTDIR"
  WriteRegStr HKCU "${UNINSTALL}" "DisplayName" "Byestand"
  WriteRegStr HKCU "${UNINSTALL}" "DisplayVersion" "${VERSION}"
  WriteRegStr HKCU "${UNINSTALL}" "UninstallString" '"$INSTDIR\uninstall.exe"'
  CreateDirectory "$SMPROGRAMS\Byestand"
  CreateShortcut "$SMPROGRAMS\Byestand\Byestand.lnk" "$INSTDIR\byestand.exe" "serve --open"
  CreateShortcut "$SMPROGRAMS\Byestand\Practice evening.lnk" "$INSTDIR\byestand.exe"
  CreateShortcut "$SMPROGRAMS\Byestand\Uninstall.lnk" "$INSTDIR\uninstall.exe"
SectionEnd

; The club's data stays: it lies in the user's own folder and is not ours to delete.
Section "Uninstall"
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
