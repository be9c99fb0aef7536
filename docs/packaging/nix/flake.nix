{
  description = "Fray, a language for the fights of old-school role-playing games";

  inputs.nixpkgs.url = "github:NixOS/nixpkgs/nixos-unstable";

  outputs = { self, nixpkgs }:
    let
      systems = [ "x86_64-linux" "aarch64-linux" ];
      each = f: nixpkgs.lib.genAttrs systems (system: f nixpkgs.legacyPackages.${system});
    in
    {
      packages = each (pkgs: {
        default = pkgs.stdenv.mkDerivation {
          pname = "fray";
          version = "0.1.0";
          # this file stands in docs/packaging/nix of the sources
          src = ../../..;
          nativeBuildInputs = [ pkgs.bison pkgs.flex ];
          buildInputs = [ pkgs.jansson pkgs.readline pkgs.random123 pkgs.xxHash ];
          makeFlags = [ "MODE=release" "WERROR=" "PREFIX=$(out)" ];
          meta = {
            description = "Language for the fights of old-school role-playing games";
            license = [ pkgs.lib.licenses.mit pkgs.lib.licenses.gpl3Plus ];
            mainProgram = "fray";
          };
        };
      });
    };
}
